package dev.xmem.cli;

import dev.xmem.XMemException;
import java.util.function.Supplier;

/** Retries a write while another process holds the lock of the store. A busy store has written nothing. */
final class BusyRetry {
    /** Each attempt waits up to 250 ms for the lock: about ten seconds in total. */
    private static final int TRIES = 40;

    private BusyRetry() {}

    static <T> T call(Supplier<T> write) {
        for (int i = 1; ; i++) {
            try {
                return write.get();
            } catch (XMemException.Busy e) {
                if (i == TRIES) {
                    throw e;
                }
            }
        }
    }
}
