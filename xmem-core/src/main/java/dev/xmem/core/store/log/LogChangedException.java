package dev.xmem.core.store.log;

import java.io.IOException;

/** A log is not what was known of it: somebody changed it in place, or what was known is wrong. It is to be read again. */
public final class LogChangedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says of which log, and what is to be done. */
    public LogChangedException(String message) {
        super(message);
    }

    /** The same, with what showed it. */
    public LogChangedException(String message, Throwable cause) {
        super(message, cause);
    }
}
