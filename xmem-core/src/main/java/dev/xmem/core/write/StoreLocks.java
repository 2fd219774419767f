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
 * The locks of a store: its own, and the one beside the file of global directives, which other stores append to. The
 * own one is taken first and released last.
 */
public final class StoreLocks implements Closeable {
    /** How long a caller waits for a lock by default. */
    public static final Duration PATIENCE = Duration.ofMillis(250);

    /** How long maintenance waits at least. */
    public static final Duration MAINTENANCE_PATIENCE = Duration.ofSeconds(10);

    private final FileSystem files;
    private final FileSystem.FileLock own;
    private final Path ownFile;
    private final @Nullable Path globalFile;
    /** Made by the first append to the global directives, so that no other work leaves a lock file in their folder. */
    private volatile FileSystem.@Nullable FileLock global;

    private final Duration timeout;

    /** @param global the lock file beside the global directives; null if the store appends to none */
    public StoreLocks(FileSystem files, Path own, @Nullable Path global, Duration timeout) throws IOException {
        this.files = files;
        this.own = files.lock(own);
        this.ownFile = own;
        this.globalFile = global;
        this.timeout = timeout;
    }

    /** Takes the locks that an append to these logs needs. */
    Held acquire(Set<LogName> logs) throws IOException {
        return acquire(logs, timeout);
    }

    /** Takes the store's own lock for maintenance, which has more patience than an append. */
    Held acquirePatiently() throws IOException {
        return acquire(Set.of(), timeout.compareTo(MAINTENANCE_PATIENCE) > 0 ? timeout : MAINTENANCE_PATIENCE);
    }

    private Held acquire(Set<LogName> logs, Duration patience) throws IOException {
        acquire(own, ownFile, patience);
        if (globalFile == null || !logs.contains(LogName.GLOBAL_DIRECTIVES)) {
            return new Held(own, null);
        }
        try {
            FileSystem.FileLock lock = global(globalFile);
            acquire(lock, globalFile, patience);
            return new Held(own, lock);
        } catch (IOException | RuntimeException | Error e) {
            own.release();
            throw e;
        }
    }

    /** The lock beside the global directives; called under the own lock. */
    private FileSystem.FileLock global(Path file) throws IOException {
        FileSystem.FileLock lock = global;
        if (lock == null) {
            if (file.getParent() != null) {
                files.createFolders(file.getParent());
            }
            lock = files.lock(file);
            global = lock;
        }
        return lock;
    }

    /**
     * Takes a lock.
     *
     * @throws XMemException.Busy if another process holds it for longer than this
     */
    public static void acquire(FileSystem.FileLock lock, Path file, Duration patience) throws IOException {
        if (!lock.acquire(patience.toNanos())) {
            throw new XMemException.Busy(file, patience);
        }
    }

    /** The locks that are held until this is closed. */
    record Held(FileSystem.FileLock own, FileSystem.@Nullable FileLock global) implements Closeable {
        /** Whether another process, or another store of this process, may have written to the store's own logs. */
        boolean othersWrote() {
            return own.changedHands();
        }

        @Override
        public void close() throws IOException {
            try {
                if (global != null) {
                    global.release();
                }
            } finally {
                own.release();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            own.close();
        } finally {
            FileSystem.FileLock lock = global;
            if (lock != null) {
                lock.close();
            }
        }
    }
}
