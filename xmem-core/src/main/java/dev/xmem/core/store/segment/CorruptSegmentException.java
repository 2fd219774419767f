package dev.xmem.core.store.segment;

import java.io.IOException;

/** A file is no usable segment. Segments are derived from the logs: the remedy is to make it again. */
public final class CorruptSegmentException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong with it, as the end of a sentence. */
    public CorruptSegmentException(String message) {
        super(message);
    }
}
