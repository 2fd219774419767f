package dev.xmem;

import java.util.Objects;

/**
 * A search of the journal's newest lines, as {@code memory_search} of the seed's shell scripts takes it. Immutable and
 * thread-safe: each setter returns a copy. Defaults: limit 20, windowLines 50,000, {@link Mode#HYBRID}.
 */
public final class Scan {
    private final String q;
    private final int limit;
    private final int windowLines;
    private final Mode mode;

    private Scan(String q, int limit, int windowLines, Mode mode) {
        this.q = q;
        this.limit = limit;
        this.windowLines = windowLines;
        this.mode = mode;
    }

    /** Looks for a literal, or for the regular expression between two slashes. */
    public static Scan of(String q) {
        return new Scan(Objects.requireNonNull(q, "q"), 20, 50_000, Mode.HYBRID);
    }

    /**
     * At most this many results.
     *
     * @throws IllegalArgumentException unless 1 ≤ results ≤ 200
     */
    public Scan limit(int results) {
        if (results < 1 || results > 200) {
            throw new IllegalArgumentException("limit must be from 1 to 200, not " + results);
        }
        return new Scan(q, results, windowLines, mode);
    }

    /**
     * How many of the newest lines are looked at first; widened fourfold up to 1,000,000 while results are too few.
     *
     * @throws IllegalArgumentException unless 1 ≤ lines ≤ 1,000,000
     */
    public Scan windowLines(int lines) {
        if (lines < 1 || lines > 1_000_000) {
            throw new IllegalArgumentException("windowLines must be from 1 to 1000000, not " + lines);
        }
        return new Scan(q, limit, lines, mode);
    }

    /** The way to search; the results are the same. */
    public Scan mode(Mode mode) {
        return new Scan(q, limit, windowLines, Objects.requireNonNull(mode, "mode"));
    }

    /** What to look for. */
    public String q() {
        return q;
    }

    /** The most results. */
    public int limit() {
        return limit;
    }

    /** The first window, in lines. */
    public int windowLines() {
        return windowLines;
    }

    /** The way to search. */
    public Mode mode() {
        return mode;
    }

    /** The way to search. All give the same results. */
    public enum Mode {
        /** By bytes first, like ripgrep. */
        RG,
        /** By parsed lines, like jq. */
        JQ,
        /** By bytes first, then parsed. */
        HYBRID
    }
}
