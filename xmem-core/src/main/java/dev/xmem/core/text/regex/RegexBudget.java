package dev.xmem.core.text.regex;

import dev.xmem.XMemException;

/**
 * The number of characters that the regular expressions of one query may still read, over all texts. For one thread.
 */
public final class RegexBudget {
    private final long allowed;
    private long left;

    /** Creates a budget. Twenty million steps take some tenths of a second. */
    public RegexBudget(long steps) {
        if (steps < 1) {
            throw new IllegalArgumentException("steps must be positive: " + steps);
        }
        this.allowed = steps;
        this.left = steps;
    }

    void spend(int steps) {
        left -= steps;
        if (left < 0) {
            throw exhausted();
        }
    }

    private XMemException exhausted() {
        return new XMemException.Syntax(
                "the regular expression took more than " + allowed
                        + " steps. Begin it with a literal word, avoid repetitions inside repetitions,"
                        + " or search fewer entries by tool=, tag= or since=",
                0);
    }
}
