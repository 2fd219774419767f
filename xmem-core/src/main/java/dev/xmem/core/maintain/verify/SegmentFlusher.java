package dev.xmem.core.maintain.verify;

import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Writes full segments in the background, one after the other. Once, a while after opening, it checks the segments and
 * compares the logs with them. From then on it also merges segments: a process that ends soon merges none.
 */
final class SegmentFlusher {
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration BEFORE_CHECK = Duration.ofSeconds(2);
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(10);

    private final LogRegistry registry;
    private final ResourcePool resources;
    private final IntegrityChecker integrity;
    private final Runnable flush = new Task();
    private final Runnable check = new Task();
    private final Runnable merge = new Task();
    private volatile boolean checked;
    private volatile boolean stopped;
    /** When a merge failed, by {@link System#nanoTime}. */
    private volatile @Nullable Long failed;

    /** One of the three tasks; a class of its own, because a process that asks once pays for each lambda. */
    private final class Task implements Runnable {
        @Override
        public void run() {
            if (this == flush) {
                flush();
            } else if (this == check) {
                check();
            } else {
                merge();
            }
        }
    }

    SegmentFlusher(LogRegistry registry, ResourcePool resources, IntegrityChecker integrity) {
        this.registry = registry;
        this.resources = resources;
        this.integrity = integrity;
    }

    void opened() {
        resources.background().schedule(check, BEFORE_CHECK);
    }

    /** Schedules a flush if there is a full segment to write. */
    void touched() {
        if (!stopped && !registry.isSealed()) {
            resources.background().schedule(flush, PAUSE);
        }
    }

    void flushAll() throws IOException {
        boolean flushed = true;
        while (flushed && !stopped) {
            flushed = registry.sealOne();
        }
        boolean merged = true;
        while (merged && !stopped) {
            merged = mergeOne();
        }
    }

    /** Writes the active segments for the next opening. Nothing is written after that. */
    void stop() {
        stopped = true;
        resources.background().cancel(flush);
        resources.background().cancel(check);
        resources.background().cancel(merge);
        try {
            registry.sealActive();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            Log.debug("the newest lines were not written to a segment; the next open reads them from the logs", e);
        }
        registry.retire();
    }

    private void check() {
        try {
            integrity.check(() -> stopped);
            checked = true;
            touched();
            scheduleMerge();
        } catch (IOException | RuntimeException e) {
            Log.debug("the logs were not compared with their segments", e);
        }
    }

    private void flush() {
        try {
            StoreEvent event = new StoreEvent(StoreEvent.Operation.SEGMENT);
            boolean flushed = registry.sealOne();
            event.done();
            if (flushed) {
                touched();
                scheduleMerge();
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("a segment was not written; it is tried again after the next append", e);
        }
    }

    /** Schedules a merge once all full segments are written. */
    private void scheduleMerge() {
        Long before = failed;
        boolean waits = before != null && System.nanoTime() - before < AFTER_FAILURE.toNanos();
        if (checked && !stopped && !waits && registry.isSealed()) {
            resources.background().schedule(merge, PAUSE);
        }
    }

    private void merge() {
        if (mergeOne()) {
            scheduleMerge();
        }
    }

    /** Merges segments once; false if there are none to merge, or they could not be merged. */
    private boolean mergeOne() {
        try {
            failed = null;
            StoreEvent event = new StoreEvent(StoreEvent.Operation.SEGMENT);
            boolean merged = registry.mergeOne(() -> stopped);
            event.done();
            return merged;
        } catch (CancellationException e) {
            return false; // the store closes, or the log was replaced
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            failed = System.nanoTime();
            Log.debug("segments were not merged; it is tried again after a later segment", e);
            return false;
        }
    }
}
