package dev.xmem.core.maintain.verify;

import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.SegmentEvent;
import dev.xmem.core.store.index.LogRegistry;
import java.io.IOException;
import java.time.Duration;

/**
 * Seals in the background, one after the other, what stretches of logs have become full; looks once, a while after the
 * opening, whether segments are undamaged and logs are still those that they were made of.
 */
final class SegmentFlusher {
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration BEFORE_LOOK = Duration.ofSeconds(2);

    private final LogRegistry catalog;
    private final ResourcePool resources;
    private final IntegrityChecker integrity;
    private final Runnable seal = this::seal;
    private final Runnable look = this::look;
    private volatile boolean stopped;

    SegmentFlusher(LogRegistry catalog, ResourcePool resources, IntegrityChecker integrity) {
        this.catalog = catalog;
        this.resources = resources;
        this.integrity = integrity;
    }

    /** The store was opened. */
    void opened() {
        resources.schedule(look, BEFORE_LOOK);
    }

    /** There may be something to seal. */
    void touched() {
        if (!stopped && !catalog.isSealed()) {
            resources.schedule(seal, PAUSE);
        }
    }

    /** Seals at once whatever there is to seal. */
    void sealAll() throws IOException {
        boolean sealed = true;
        while (sealed && !stopped) {
            sealed = catalog.sealOne();
        }
    }

    /** Seals the newest lines for the next opening, and nothing after that. */
    void stop() {
        stopped = true;
        resources.cancel(seal);
        resources.cancel(look);
        try {
            catalog.sealActive();
        } catch (IOException | RuntimeException e) {
            Log.debug("the newest lines were not sealed; they will be read again", e);
        }
        catalog.retire();
    }

    private void look() {
        integrity.forgetReplaced();
        try {
            catalog.readAgainWhatChanged(() -> stopped);
            catalog.checkSegments(() -> stopped);
            touched();
        } catch (IOException | RuntimeException e) {
            Log.debug("logs were not compared with their segments", e);
        }
    }

    private void seal() {
        try {
            SegmentEvent event = new SegmentEvent();
            boolean sealed = catalog.sealOne();
            event.done();
            if (sealed) {
                touched();
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("a segment was not written; it will be when there is more to seal", e);
        }
    }
}
