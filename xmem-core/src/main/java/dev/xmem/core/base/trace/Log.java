package dev.xmem.core.base.trace;

import org.jspecify.annotations.Nullable;

/**
 * The logger {@code dev.xmem}. It is looked up for each message, because the first look-up loads some hundred classes
 * and most programs never log. Thread-safe.
 */
public final class Log {
    private Log() {}

    /** Logs a failure that the store recovers from by itself. */
    public static void debug(String message, @Nullable Throwable cause) {
        logger().log(System.Logger.Level.DEBUG, message, cause);
    }

    /** Logs a failure that no exception and no return value reports. */
    public static void warning(String message, @Nullable Throwable cause) {
        logger().log(System.Logger.Level.WARNING, message, cause);
    }

    private static System.Logger logger() {
        return System.getLogger("dev.xmem");
    }
}
