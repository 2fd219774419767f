package dev.xmem.core.log;

import java.io.IOException;

/** A log is not what was known of it: somebody changed it in place, or what was known is wrong. It is to be read again. */
public final class ChangedLogException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says of which log, and what is to be done. */
    public ChangedLogException(String message) {
        super(message);
    }

    /** The same, with what showed it. */
    public ChangedLogException(String message, Throwable cause) {
        super(message, cause);
    }
}
