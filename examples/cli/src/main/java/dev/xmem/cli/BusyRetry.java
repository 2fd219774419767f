package dev.xmem.cli;

import dev.xmem.XMemException;
import java.time.Duration;
import java.util.function.Supplier;

/** Retries a write while another process holds the lock of the store. A busy store has written nothing. */
final class BusyRetry {
    private static final long LIMIT_NANOS = 10_000_000_000L;

    private BusyRetry() {}

    /** Tries until ten seconds are over, however long one attempt waits. The exception states the whole wait. */
    static <T> T call(Supplier<T> write) {
        return call(write, LIMIT_NANOS);
    }

    static <T> T call(Supplier<T> write, long limitNanos) {
        long begin = System.nanoTime();
        while (true) {
            try {
                return write.get();
            } catch (XMemException.Busy e) {
                long waited = System.nanoTime() - begin;
                if (waited >= limitNanos) {
                    throw new XMemException.Busy(e.lock(), Duration.ofNanos(waited));
                }
            }
        }
    }
}
