package dev.xmem.hooks;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Opens the store of hooks. */
final class HookStore {
    /**
     * How long a process waits until everything that an event leads to is written. An agent that waits less ends the
     * hook by itself.
     */
    static final Duration WRITE_LIMIT = Duration.ofSeconds(60);

    private static final long RETRY_MILLIS = 100;

    private HookStore() {}

    /** Opens the store of hooks; read-only if its files cannot be written. Waits for a lock as for a write. */
    static XMemStore open(Path directory) {
        long until = System.nanoTime() + WRITE_LIMIT.toNanos();
        while (true) {
            try {
                return openNow(directory);
            } catch (XMemException.Busy e) {
                if (System.nanoTime() > until) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
            }
        }
    }

    private static XMemStore openNow(Path directory) {
        try {
            return builder(directory).open();
        } catch (XMemException.Io e) {
            if (Files.isDirectory(directory.resolve("data"))) {
                return builder(directory).readOnly().open();
            }
            throw e;
        }
    }

    private static XMem.Builder builder(Path directory) {
        return XMem.builder(directory).guardLimit(HookProgram.LIMIT).sharedSessions();
    }
}
