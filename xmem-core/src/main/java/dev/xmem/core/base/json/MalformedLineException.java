package dev.xmem.core.base.json;

/** A line that is not one JSON object. It is skipped, counted, located and kept. */
public final class MalformedLineException extends Exception {
    private final int depth;

    MalformedLineException(String reason) {
        this(reason, 0);
    }

    MalformedLineException(String reason, int depth) {
        super(reason, null, false, false);
        this.depth = depth;
    }

    /** How deep it is nested where that is what is wrong; else 0. */
    public int depth() {
        return depth;
    }
}
