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
 * Keeps {@code index.json} and the checksums of the logs up to date. In a small store they are exact after a flush or a
 * close, and {@code index.json} is a few seconds behind while entries are appended. In a large store only the
 * background writes the checksums, and only the background, a check and maintenance write {@code index.json}, because
 * both grow with the store; after a compaction the background does, at once. The background writes once in three
 * minutes at most. After maintenance that could not write {@code index.json}, the next flush, close or turn of the
 * background does, whatever the size. Replacing it waits for the medium and takes locks of its own, so that no append
 * waits for it. A close waits for a write that has begun. Thread-safe.
 * Decision: docs/adr/0076-derived-files-of-large-stores.md.
 */
public final class IndexJsonWriter implements Closeable, Runnable {
    /** A store with more failures and successes is large. */
    public static final int SMALL = 10_000;

    public static final Duration LARGE_PAUSE = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int PAUSE_PER_COST = 20;

    private final LogRegistry registry;
    private final IndexJson file;
    private final FileSystem.FileLock lock;
    private final ResourcePool resources;
    private final IntegrityChecker integrity;
    private final SegmentFlusher segments;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile Duration pause = Duration.ZERO;
    private volatile boolean stopped;
    /** Whether maintenance could not write the file, which may name what was erased. */
    private volatile boolean due;

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
        this.integrity = integrity;
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
            Duration least = mayBeBehind() ? LARGE_PAUSE : PAUSE;
            resources.background().schedule(this, pause.compareTo(least) > 0 ? pause : least);
            if (stopped) {
                resources.background().cancel(this);
            }
        }
    }

    /** Whether a flush leaves the files to the background. */
    public boolean isLarge() {
        return registry.failuresAndSuccesses() > SMALL;
    }

    private boolean mayBeBehind() {
        return !due && isLarge();
    }

    /** Ends the background work; a write that has begun is waited for. */
    public void stop() {
        stopped = true;
        resources.background().cancel(this);
        writing.lock();
        try {
            segments.stop();
        } finally {
            writing.unlock();
        }
    }

    /** As {@link #write}, and writes the checksums; a large store is left to the background. */
    public boolean flush(Duration patience) throws IOException {
        if (mayBeBehind()) {
            touched();
            return true;
        }
        boolean written = write(patience);
        integrity.seal();
        return written;
    }

    /** As {@link #flush}; a failure is logged. */
    public void flushQuietly() {
        if (!mayBeBehind()) {
            writeQuietly(due);
            integrity.sealQuietly();
        }
    }

    @Override
    public void run() {
        writeDue();
    }

    /** What the background does when its time has come: writes what no other process wrote just before. */
    public void writeDue() {
        writing.lock();
        try {
            if (stopped) {
                return;
            }
            if (mayBeBehind() && isYoung()) {
                touched(); // another process wrote it
                return;
            }
            writeQuietly(false);
            if (isLarge() && !stopped) {
                integrity.sealQuietly();
            }
        } finally {
            writing.unlock();
        }
    }

    private boolean isYoung() {
        try {
            return file.age().compareTo(LARGE_PAUSE) < 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the file unless it is up to date; returns false if the lock could not be acquired in this time. */
    public boolean write(Duration patience) throws IOException {
        writing.lock();
        try {
            if (file.covers(registry.whole())) {
                due = false;
                return true;
            }
            long begin = System.nanoTime();
            StoreEvent event = new StoreEvent(StoreEvent.Operation.INDEX_FILE);
            if (!lock.acquire(patience.toNanos())) {
                return false;
            }
            try {
                StoreSnapshot snapshot = registry.whole();
                if (!file.covers(snapshot)) {
                    file.write(snapshot);
                }
            } finally {
                lock.release();
            }
            due = false;
            event.done();
            Duration cost = Duration.ofNanos(System.nanoTime() - begin).multipliedBy(PAUSE_PER_COST);
            pause = cost;
            return true;
        } finally {
            writing.unlock();
        }
    }

    /** Writes the file and all full segments; returns false if another process held the lock of the file. */
    boolean writeAll() throws IOException {
        segments.flushAll();
        return writePatiently();
    }

    /** As {@link #write}, for maintenance: waits longer, and what fails is due for the next flush or close. */
    private boolean writePatiently() throws IOException {
        boolean written = false;
        try {
            written = write(StoreLocks.MAINTENANCE_PATIENCE);
            return written;
        } finally {
            if (!written) {
                due = true;
            }
        }
    }

    /** As {@link #write}; a failure is logged, and tried again later: after maintenance at the next flush or close. */
    public void writeQuietly(boolean patiently) {
        try {
            if (!(patiently ? writePatiently() : write(StoreLocks.PATIENCE))) {
                touched();
            }
            segments.touched();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            pause = LARGE_PAUSE;
            Log.debug("index.json was not written; the next open writes it", e);
        }
    }

    /**
     * As {@link #writeQuietly} of maintenance that erased nothing. In a large store the background writes the file at
     * once, and what does not succeed is due for the next flush or close.
     */
    public void writeSoon() {
        if (!isLarge() || stopped) {
            writeQuietly(true);
            return;
        }
        due = true;
        resources.background().schedule(this, Duration.ZERO);
        segments.touched();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
