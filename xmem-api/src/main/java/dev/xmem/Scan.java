package dev.xmem;

import java.util.Objects;

/**
 * A search of the newest lines of the journal, with the parameters of {@code memory_search} in the X-MEM protocol.
 * Immutable and thread-safe; each setter returns a copy. Defaults: limit 20, windowLines 50,000, {@link Mode#HYBRID}.
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

    /** Creates a search for a literal, or for a regular expression if the text is enclosed in slashes. */
    public static Scan of(String q) {
        return new Scan(Objects.requireNonNull(q, "q"), 20, 50_000, Mode.HYBRID);
    }

    /**
     * Returns a copy with a maximum number of results. Default 20.
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
     * Returns a copy with the number of newest lines to search first. While there are too few results, the window grows
     * fourfold, up to 1,000,000 lines. Default 50,000.
     *
     * @throws IllegalArgumentException unless 1 ≤ lines ≤ 1,000,000
     */
    public Scan windowLines(int lines) {
        if (lines < 1 || lines > 1_000_000) {
            throw new IllegalArgumentException("windowLines must be from 1 to 1000000, not " + lines);
        }
        return new Scan(q, limit, lines, mode);
    }

    /** Returns a copy with another strategy, which does not affect the results. Default {@link Mode#HYBRID}. */
    public Scan mode(Mode mode) {
        return new Scan(q, limit, windowLines, Objects.requireNonNull(mode, "mode"));
    }

    /** Returns the text or expression to search for. */
    public String q() {
        return q;
    }

    /** Returns the maximum number of results. */
    public int limit() {
        return limit;
    }

    /** Returns the size of the first window, in lines. */
    public int windowLines() {
        return windowLines;
    }

    /** Returns the strategy. */
    public Mode mode() {
        return mode;
    }

    /** A strategy of the protocol. All give the same results. */
    public enum Mode {
        /** Match raw bytes, as ripgrep does. */
        RG,
        /** Match parsed lines, as jq does. */
        JQ,
        /** Match raw bytes, then parse the candidates. */
        HYBRID
    }
}
