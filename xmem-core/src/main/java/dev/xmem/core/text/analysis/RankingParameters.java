package dev.xmem.core.text.analysis;

/** The ranking's constants. Found by measuring on the requests of the tests; see {@code RelevanceTest}. */
public final class RankingParameters {
    /** How soon repeating a word stops to count. */
    public static final double K1 = 1.6;
    /** How much long entries are held back. */
    public static final double B = 0.35;
    /** How much of the score depends on the share of the request that is answered. */
    public static final double SHARE = 0.5;
    /** What counts of an entry's score when the request names another tool. */
    public static final double OTHER_TOOL = 0.4;
    /** How important a word that stands in no entry is, beside the rarest that does. */
    public static final double UNKNOWN = 1.0;
    /** The share of the request that has to be answered at least. */
    public static final double LEAST_SHARE = 0.34;
    /** The same for an entry of which the request names a cause. */
    public static final double LEAST_SHARE_OF_CAUSE = 0.22;
    /** The same for an entry that answers several of its words. */
    public static final double LEAST_SHARE_OF_SEVERAL = 0.22;
    /** The same for an entry of the very tool that the request names. */
    public static final double LEAST_SHARE_OF_TOOL = 0.16;
    /** What part of the best score an entry needs to be shown beside it. */
    public static final double FLOOR = 0.6;

    /** What a word that the request negates counts, where the entry negates it too. */
    public static final double NEGATED = 0.8;
    /** What a cause counts that the request names in the words of errors. */
    public static final double CAUSE = 0.9;
    /** What a cause counts that the request names in ordinary words. */
    static final double ASKED = 0.8;
    /** What another word for the same counts, where {@code synonyms.txt} does not say. */
    static final double SYNONYM = 0.6;
    /** What an identifier counts that stands in the entry as it was asked. */
    public static final double WHOLE = 1.2;
    /** How well a word has to stand for a tool's name to name the tool. */
    public static final double TOOL_NAME = 0.6;
    /** What a part of an identifier counts. */
    public static final double PART = 0.6;
    /** What a word counts that is common in talk of failures. */
    public static final double WEAK = 0.45;

    private RankingParameters() {}
}
