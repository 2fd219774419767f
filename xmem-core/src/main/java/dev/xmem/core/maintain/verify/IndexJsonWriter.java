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
 * Keeps {@code index.json} in step with the logs: behind them by a few seconds while entries come in, exactly where they
 * are after a flush or a close. The content is made without a lock; putting it in place, which waits for the disk, needs a
 * mutex of its own, so that no append ever waits for it.
 */
public final class IndexJsonWriter implements Closeable {
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int PAUSE_PER_COST = 20;

    private final LogRegistry catalog;
    private final IndexJson file;
    private final FileSystem.FileLock mutex;
    private final ResourcePool resources;
    private final SegmentFlusher segments;
    private final Runnable task = this::writeQuietly;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile Duration pause = PAUSE;
    private volatile boolean stopped;

    public IndexJsonWriter(
            LogRegistry catalog,
            IndexJson file,
            FileSystem.FileLock mutex,
            ResourcePool resources,
            IntegrityChecker integrity) {
        this.catalog = catalog;
        this.file = file;
        this.mutex = mutex;
        this.resources = resources;
        this.segments = new SegmentFlusher(catalog, resources, integrity);
    }

    /** The store was opened, and has lines. */
    public void opened() {
        touched();
        segments.opened();
    }

    /** Something was appended: write soon. The more a writing costs, the rarer it is. */
    public void touched() {
        if (!stopped) {
            resources.background().schedule(task, pause);
        }
    }

    /** Nothing is written behind any more. */
    public void stop() {
        stopped = true;
        segments.stop();
        resources.background().cancel(task);
    }

    /** Writes the index unless it is current; false if the mutex was not had. */
    public boolean write() throws IOException {
        writing.lock();
        try {
            StoreSnapshot snapshot = catalog.whole();
            if (file.covers(snapshot)) {
                return true;
            }
            long begin = System.nanoTime();
            StoreEvent event = new StoreEvent(StoreEvent.Operation.INDEX_FILE);
            byte[] content = file.content(snapshot);
            if (!mutex.acquire(StoreLocks.PATIENCE.toNanos())) {
                return false;
            }
            try {
                if (!file.covers(catalog.whole())) {
                    file.write(content, snapshot);
                }
            } finally {
                mutex.release();
            }
            event.done();
            Duration cost = Duration.ofNanos(System.nanoTime() - begin).multipliedBy(PAUSE_PER_COST);
            pause = cost.compareTo(PAUSE) > 0 ? cost : PAUSE;
            return true;
        } finally {
            writing.unlock();
        }
    }

    /** Writes all that is derived and not as it should be; false if the mutex was not had. */
    boolean writeAll() throws IOException {
        segments.sealAll();
        return write();
    }

    public void writeQuietly() {
        try {
            if (!write()) {
                touched();
            }
            segments.touched();
        } catch (IOException | RuntimeException e) {
            Log.debug("index.json was not written; it will be at the next open", e);
        }
    }

    @Override
    public void close() throws IOException {
        mutex.close();
    }
}
