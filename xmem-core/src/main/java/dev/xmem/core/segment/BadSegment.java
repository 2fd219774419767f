package dev.xmem.core.segment;

import java.io.IOException;

/** A file is no segment that can be used. It is derived, so the remedy is to make it again. */
public final class BadSegment extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong with it, as the end of a sentence. */
    public BadSegment(String message) {
        super(message);
    }
}
