package dev.xmem.core.text.analysis;

/** The constants of ranking, tuned on the queries of the evaluation set in {@code RelevanceTest}. */
public final class RankingParameters {
    /** BM25's k1: the saturation of term frequency. */
    public static final double K1 = 1.6;
    /** BM25's b: the strength of length normalization. */
    public static final double B = 0.35;
    /** The part of the score that depends on the share of the query that an entry matches. */
    public static final double SHARE = 0.65;
    /** The factor for an entry of another tool than the query names or describes. */
    public static final double OTHER_TOOL = 0.7;
    /** The factor for an entry without the name of a program, a service or a library that the query gives. */
    public static final double OTHER_NAME = 0.5;
    /** The importance of a word that no entry contains, relative to the rarest word that one contains. */
    public static final double UNKNOWN = 1.2;
    /** The same for the name of a program, a service or a library: such a query asks for something else. */
    public static final double UNKNOWN_NAME = 2.0;
    /** The minimum share of the query that an entry must match. */
    public static final double LEAST_SHARE = 0.34;
    /** The same for an entry whose cause the query names. */
    public static final double LEAST_SHARE_OF_CAUSE = 0.28;
    /** The same for an entry that matches several words. */
    public static final double LEAST_SHARE_OF_SEVERAL = 0.22;
    /** The same for an entry of a tool that the query names or describes. */
    public static final double LEAST_SHARE_OF_TOOL = 0.22;
    /** The minimum score of the first hits, relative to the best score. */
    public static final double FLOOR = 0.45;
    /** The same for all further hits. */
    public static final double FLOOR_OF_MORE = 0.9;
    /** The number of hits that need no more than {@link #FLOOR}. */
    public static final int FIRST = 3;

    /** The weight of a negated word that the entry negates, too. */
    public static final double NEGATED = 0.8;
    /** The weight of a cause that the query names in the words of errors. */
    public static final double CAUSE = 0.9;
    /** The weight of a cause that the query names in ordinary words. */
    static final double ASKED = 0.8;
    /** The default weight of a synonym in {@code synonyms.txt}. */
    static final double SYNONYM = 0.6;
    /** The weight of a program whose purpose the query names in several words. */
    static final double PURPOSE = 1.2;
    /** The same for one word. */
    static final double PURPOSE_WORD = 0.6;
    /** The weight of an identifier that matches as a whole. */
    public static final double WHOLE = 1.2;
    /** The minimum weight at which a word names a tool. */
    public static final double TOOL_NAME = 0.6;
    /** The weight of a part of an identifier. */
    public static final double PART = 0.6;
    /** The weight of a word that is common in reports of failures. */
    public static final double WEAK = 0.45;

    private RankingParameters() {}
}
