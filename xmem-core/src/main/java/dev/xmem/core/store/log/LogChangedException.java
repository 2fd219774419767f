package dev.xmem.core.store.log;

import java.io.IOException;

/** Thrown when a log does not have the bytes that the index expects: it was changed in place, or the index is wrong. */
public final class LogChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    public LogChangedException(String message) {
        super(message);
    }

    public LogChangedException(String message, Throwable cause) {
        super(message, cause);
    }
}
