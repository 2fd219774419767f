package dev.xmem.core.maintain.verify;

import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.core.store.index.IndexJson;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.write.StoreLocks;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps {@code index.json} up to date with the logs: a few seconds behind while entries are appended, exact after a
 * flush or a close. The content is computed without a lock. Replacing the file, which waits for the medium, takes a
 * lock of its own, so that no append waits for it. Thread-safe.
 */
public final class IndexJsonWriter implements Closeable {
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int PAUSE_PER_COST = 20;

    private final LogRegistry registry;
    private final IndexJson file;
    private final FileSystem.FileLock lock;
    private final ResourcePool resources;
    private final SegmentFlusher segments;
    private final Runnable task = this::writeQuietly;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile Duration pause = PAUSE;
    private volatile boolean stopped;

    public IndexJsonWriter(
            LogRegistry registry,
            IndexJson file,
            FileSystem.FileLock lock,
            ResourcePool resources,
            IntegrityChecker integrity) {
        this.registry = registry;
        this.file = file;
        this.lock = lock;
        this.resources = resources;
        this.segments = new SegmentFlusher(registry, resources, integrity);
    }

    /** Begins the background work of a store that has lines. */
    public void opened() {
        touched();
        segments.opened();
    }

    /** Schedules a write after an append. The more a write costs, the longer is the pause before the next one. */
    public void touched() {
        if (!stopped) {
            resources.background().schedule(task, pause);
        }
    }

    /** Ends the background work. */
    public void stop() {
        stopped = true;
        segments.stop();
        resources.background().cancel(task);
    }

    /** Writes the file unless it is up to date; returns false if the lock could not be acquired in this time. */
    public boolean write(Duration patience) throws IOException {
        writing.lock();
        try {
            StoreSnapshot snapshot = registry.whole();
            if (file.covers(snapshot)) {
                return true;
            }
            long begin = System.nanoTime();
            StoreEvent event = new StoreEvent(StoreEvent.Operation.INDEX_FILE);
            byte[] content = file.content(snapshot);
            if (!lock.acquire(patience.toNanos())) {
                return false;
            }
            try {
                if (!file.covers(registry.whole())) {
                    file.write(content, snapshot);
                }
            } finally {
                lock.release();
            }
            event.done();
            Duration cost = Duration.ofNanos(System.nanoTime() - begin).multipliedBy(PAUSE_PER_COST);
            pause = cost.compareTo(PAUSE) > 0 ? cost : PAUSE;
            return true;
        } finally {
            writing.unlock();
        }
    }

    /** Writes the file and all full segments. */
    void writeAll() throws IOException {
        segments.flushAll();
        write(StoreLocks.PATIENCE);
    }

    /** As {@link #write}, in the background: a failure is logged, and tried again later. */
    public void writeQuietly() {
        try {
            if (!write(StoreLocks.PATIENCE)) {
                touched();
            }
            segments.touched();
        } catch (IOException | RuntimeException e) {
            Log.debug("index.json was not written; the next open writes it", e);
        }
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
