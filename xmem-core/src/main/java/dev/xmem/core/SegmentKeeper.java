package dev.xmem.core;

import dev.xmem.core.index.Catalog;
import dev.xmem.core.trace.SegmentEvent;
import java.io.IOException;
import java.time.Duration;

/** Seals, one after the other in the background, what stretches of logs have become full. */
final class SegmentKeeper {
    private static final System.Logger LOG = System.getLogger("dev.xmem");
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Catalog catalog;
    private final Resources resources;
    private final Runnable task = this::work;
    private volatile boolean stopped;

    SegmentKeeper(Catalog catalog, Resources resources) {
        this.catalog = catalog;
        this.resources = resources;
    }

    /** There may be something to seal. */
    void touched() {
        if (!stopped && !catalog.isSealed()) {
            resources.schedule(task, PAUSE);
        }
    }

    /** Nothing is sealed any more. */
    void stop() {
        stopped = true;
        resources.cancel(task);
    }

    private void work() {
        try {
            SegmentEvent event = new SegmentEvent();
            catalog.sealOne();
            event.done();
            touched();
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "a segment was not written; it will be when there is more to seal", e);
        }
    }
}
