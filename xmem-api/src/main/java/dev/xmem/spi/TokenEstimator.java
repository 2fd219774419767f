package dev.xmem.spi;

/**
 * Says what a text costs a model. Pure, total, linear in the text, thread-safe; a longer text never costs less than a
 * beginning of it. A page's budget is hard as the store's estimator measures it.
 */
public interface TokenEstimator {
    /** A short name that changes whenever one result does. */
    String id();

    /** The number of tokens; 0 for an empty text. */
    int estimate(CharSequence text);

    /** The default: a one-pass formula over character classes, fitted on real entries. */
    static TokenEstimator heuristic() {
        return HeuristicTokenEstimator.INSTANCE;
    }
}
