package dev.xmem.core.base.trace;

import org.jspecify.annotations.Nullable;

/**
 * What is said to the logger {@code dev.xmem}. It is looked up when there is something to say: that loads some hundred
 * classes, and most programs never come to it. Thread-safe.
 */
public final class Log {
    private Log() {}

    /** Something went wrong that mends itself. */
    public static void debug(String what, @Nullable Throwable because) {
        logger().log(System.Logger.Level.DEBUG, what, because);
    }

    /** Something went wrong that nobody else is told of. */
    public static void warning(String what, @Nullable Throwable because) {
        logger().log(System.Logger.Level.WARNING, what, because);
    }

    private static System.Logger logger() {
        return System.getLogger("dev.xmem");
    }
}
