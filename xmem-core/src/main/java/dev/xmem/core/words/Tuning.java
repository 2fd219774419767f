package dev.xmem.core.words;

/** The ranking's constants. Found by measuring on the requests of the tests; see {@code RelevanceTest}. */
final class Tuning {
    /** How soon repeating a word stops to count. */
    static final double K1 = 1.2;
    /** How much long entries are held back. */
    static final double B = 0.3;
    /** How much of the score depends on the share of the request that is answered. */
    static final double SHARE = 0.6;
    /** What counts of an entry's score when the request names another tool. */
    static final double OTHER_TOOL = 0.5;
    /** How important a word that stands in no entry is, beside the rarest that does. */
    static final double UNKNOWN = 0.5;
    /** The share of the request that has to be answered at least. */
    static final double LEAST_SHARE = 0.2;
    /** What part of the best score an entry needs to be shown beside it. */
    static final double FLOOR = 0.6;

    private Tuning() {}
}
