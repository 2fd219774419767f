package dev.xmem.cli;

import dev.xmem.XMemException;
import java.util.function.Supplier;

/** Tries again while another process writes: nothing was written when a store is busy. */
final class Patience {
    /** Each try waits a quarter of a second, so these are some ten seconds. */
    private static final int TRIES = 40;

    private Patience() {}

    static <T> T until(Supplier<T> write) {
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
