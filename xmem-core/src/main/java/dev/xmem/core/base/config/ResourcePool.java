package dev.xmem.core.base.config;

import dev.xmem.core.Resources;
import dev.xmem.core.base.concurrent.SerialScheduler;
import dev.xmem.core.base.io.ByteCache;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The threads and the cache of one store, or of all stores that share {@link Resources}. */
public final class ResourcePool implements AutoCloseable {
    private final ByteCache cache;
    private final SerialScheduler background;
    private final SerialScheduler network;

    public ResourcePool(Executor executor, long cacheBytes) {
        this.cache = new ByteCache(cacheBytes);
        this.background = new SerialScheduler(executor);
        this.network = new SerialScheduler(executor);
    }

    /** A pool for one store, which starts a daemon thread when there is something to do. */
    public static ResourcePool ofOneStore(long cacheBytes) {
        return new ResourcePool(new Daemons(), cacheBytes);
    }

    private static final class Daemons implements Executor {
        @Override
        public void execute(Runnable work) {
            Thread thread = new Thread(null, work, "xmem", 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            thread.start();
        }
    }

    public ByteCache cache() {
        return cache;
    }

    /** Runs work that waits for other machines, on a thread of its own. */
    public SerialScheduler network() {
        return network;
    }

    /** Runs a task once in the background after a delay, unless it is scheduled for an earlier time already. */
    public void schedule(Runnable task, Duration delay) {
        background.schedule(task, delay);
    }

    /** Runs a task at once for a caller that waits for it; returns false if too many tasks wait already. */
    public boolean runNow(Runnable task) {
        return background.runNow(task);
    }

    /** Cancels a background task; if it is running, waits a while for its end. */
    public void cancel(Runnable task) {
        background.cancel(task);
    }

    @Override
    public void close() {
        network.close();
        background.close();
    }
}
