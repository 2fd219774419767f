package dev.xmem.core.write;

import dev.xmem.XMemException;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.io.FileSystem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mutexes of a store: its own, and the one beside the file of global directives, which other stores append to. Taken
 * in this order; given back in the other.
 */
public final class StoreLocks implements Closeable {
    public static final Duration PATIENCE = Duration.ofMillis(250);

    private final Lock own;
    private final @Nullable Lock global;

    public StoreLocks(FileSystem disk, Path own, @Nullable Path global) throws IOException {
        this.own = new Lock(disk.mutex(own), own);
        this.global = global == null ? null : new Lock(disk.mutex(global), global);
    }

    private record Lock(FileSystem.FileLock mutex, Path file) {
        void acquire() throws IOException {
            if (!mutex.acquire(PATIENCE.toNanos())) {
                throw new XMemException.Busy(file, PATIENCE);
            }
        }
    }

    /** Locks that are held until it is closed. */
    interface Held extends Closeable {
        /** Whether another process, or another store of this one, may have written to this store's own logs since. */
        boolean othersWrote();
    }

    /** Takes what is needed to append to these logs. */
    Held acquire(Set<LogName> logs) throws IOException {
        own.acquire();
        Lock second = logs.contains(LogName.GLOBAL_DIRECTIVES) ? global : null;
        if (second == null) {
            return new Both(own.mutex, null);
        }
        boolean had = false;
        try {
            second.acquire();
            had = true;
        } finally {
            if (!had) {
                own.mutex.release();
            }
        }
        return new Both(own.mutex, second.mutex);
    }

    private record Both(FileSystem.FileLock first, FileSystem.@Nullable FileLock second) implements Held {
        @Override
        public boolean othersWrote() {
            return first.changedHands();
        }

        @Override
        public void close() throws IOException {
            try {
                if (second != null) {
                    second.release();
                }
            } finally {
                first.release();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            own.mutex.close();
        } finally {
            if (global != null) {
                global.mutex.close();
            }
        }
    }
}
