package dev.xmem.core.maintain.verify;

import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.time.Duration;

/**
 * Writes full segments in the background, one after the other. Once, a while after opening, it checks the segments and
 * compares the logs with them.
 */
final class SegmentFlusher {
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration BEFORE_CHECK = Duration.ofSeconds(2);

    private final LogRegistry registry;
    private final ResourcePool resources;
    private final IntegrityChecker integrity;
    private final Runnable flush = this::flush;
    private final Runnable check = this::check;
    private volatile boolean stopped;

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
    }

    /** Writes the active segments for the next opening. Nothing is written after that. */
    void stop() {
        stopped = true;
        resources.background().cancel(flush);
        resources.background().cancel(check);
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
            touched();
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
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("a segment was not written; it is tried again after the next append", e);
        }
    }
}
