package dev.xmem.core;

import dev.xmem.core.base.config.ResourcePool;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Threads and a cache that several stores share. A {@code Resources} outlives the stores that use it, and its owner
 * closes it. Without one, each store has threads and a cache of its own. Thread-safe.
 *
 * <p>Background work runs on the executor as one task at a time. The task starts when work is due and ends when none is
 * left; it sets no context class loader. A recall that a guard waits for runs before other background work, or, while
 * the background is busy, as a task of its own. Stores that sync use one more task.
 */
public final class Resources implements AutoCloseable {
    private final ResourcePool pool;

    private Resources(ResourcePool pool) {
        this.pool = pool;
    }

    /**
     * Returns resources on the caller's executor.
     *
     * @param executor runs the background work; it may block
     * @param cacheBytes the most memory, in bytes, that cached entries and older parts of logs take, over all stores
     * @throws IllegalArgumentException if {@code cacheBytes} is negative
     */
    public static Resources of(Executor executor, long cacheBytes) {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes must be 0 or more, not " + cacheBytes);
        }
        return new Resources(new ResourcePool(Objects.requireNonNull(executor, "executor"), cacheBytes));
    }

    ResourcePool pool() {
        return pool;
    }

    /** Ends the background work. Stores that are still open go on without it. */
    @Override
    public void close() {
        pool.close();
    }
}
