package dev.xmem.core.base.json;

/** Thrown for a line that is not one JSON object. */
public final class MalformedLineException extends Exception {
    private final int depth;

    MalformedLineException(String reason) {
        this(reason, 0);
    }

    MalformedLineException(String reason, int depth) {
        super(reason, null, false, false);
        this.depth = depth;
    }

    /** The depth of the nesting if that exceeds the limit; else 0. */
    public int depth() {
        return depth;
    }
}
