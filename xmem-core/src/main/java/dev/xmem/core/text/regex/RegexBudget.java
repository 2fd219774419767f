package dev.xmem.core.text.regex;

import dev.xmem.XMemException;

/** How many characters a request's regular expressions may still look at, over all texts together. For one thread. */
public final class RegexBudget {
    private final long allowed;
    private long left;

    /** A budget of so many steps; twenty million take some tenths of a second. */
    public RegexBudget(long steps) {
        if (steps < 1) {
            throw new IllegalArgumentException("steps " + steps);
        }
        this.allowed = steps;
        this.left = steps;
    }

    /** What is left. */
    public long left() {
        return left;
    }

    void spend(int steps) {
        left -= steps;
        if (left < 0) {
            throw new XMemException.Syntax(
                    "the regular expression took more than " + allowed
                            + " steps. Begin it with a literal word, avoid repetitions inside repetitions,"
                            + " or search fewer entries by tool=, tag= or since=",
                    0);
        }
    }
}
