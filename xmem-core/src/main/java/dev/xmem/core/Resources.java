package dev.xmem.core;

import dev.xmem.core.log.WeighedCache;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Threads and a cache that many stores share; outlives them. Thread-safe. Without it every store has its own. Work in the
 * background is one task at a time on the executor: it is there while something is due, ends when nothing is, and never
 * carries a context class loader of its own making. A recall that a guard waits for goes before all that; while the
 * background is busy it gets a task of its own on the executor, which ends with it. Stores that
 * sync have one more task there.
 */
public final class Resources implements AutoCloseable {
    private final WeighedCache cache;
    private final Lane background;
    private final Lane network;

    private Resources(Executor executor, long cacheBytes) {
        this.cache = new WeighedCache(cacheBytes);
        this.background = new Lane(executor);
        this.network = new Lane(executor);
    }

    /**
     * Resources of one's own.
     *
     * @param executor runs the background work; it may block
     * @param cacheBytes how much memory entries and older parts of logs may take in all
     */
    public static Resources of(Executor executor, long cacheBytes) {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes must be 0 or more, not " + cacheBytes);
        }
        return new Resources(Objects.requireNonNull(executor, "executor"), cacheBytes);
    }

    /** Resources of one store: a daemon thread when there is something to do. */
    static Resources ofOneStore(long cacheBytes) {
        return new Resources(new Daemons(), cacheBytes);
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

    WeighedCache cache() {
        return cache;
    }

    /** Work that waits for other machines, on a thread of its own. */
    Lane network() {
        return network;
    }

    /** Runs a task once in the background after a delay, unless it is waiting already for an earlier time. */
    void schedule(Runnable task, Duration delay) {
        background.schedule(task, delay);
    }

    /** Runs a task at once, for somebody who waits for it; false if too many wait already. */
    boolean runNow(Runnable task) {
        return background.runNow(task);
    }

    /** Forgets a task of the background, and waits for it for a while if it is running. */
    void cancel(Runnable task) {
        background.cancel(task);
    }

    /** Ends the background work. Stores that are still open go on without it. */
    @Override
    public void close() {
        network.close();
        background.close();
    }
}
