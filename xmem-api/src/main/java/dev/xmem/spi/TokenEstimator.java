package dev.xmem.spi;

/**
 * Estimates the number of tokens of a text. The token budget of a page is a hard limit as counted by the store's
 * estimator.
 *
 * <p>An implementation is thread-safe and a pure, total function that is linear in the length of the text. It is
 * monotonic: a prefix of a text never has more tokens than the text.
 */
public interface TokenEstimator {
    /** Returns a short name, which changes whenever any result changes. */
    String id();

    /** Returns the number of tokens; 0 for an empty text. */
    int estimate(CharSequence text);

    /** Returns the default: a one-pass formula over character classes, fitted on real entries. */
    static TokenEstimator heuristic() {
        return HeuristicTokenEstimator.INSTANCE;
    }
}
