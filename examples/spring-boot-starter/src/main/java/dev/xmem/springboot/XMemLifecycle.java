package dev.xmem.springboot;

import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.time.Duration;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.SmartLifecycle;

/** Writes what a store has in its queues when the application stops; it stops after web servers and schedulers. */
final class XMemLifecycle implements SmartLifecycle {
    private static final Log LOG = LogFactory.getLog(XMemLifecycle.class);

    private final XMemStore store;
    private final Duration limit;
    private volatile boolean running;

    XMemLifecycle(XMemStore store, Duration limit) {
        this.store = store;
        this.limit = limit;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        if (!store.guard().flush(limit)) {
            LOG.warn("xmem could not write everything within " + limit + "; the rest is tried once more at the close");
        }
        try {
            store.flush();
        } catch (XMemException e) {
            LOG.warn("xmem could not flush its store: " + e.getMessage());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return 0;
    }
}
