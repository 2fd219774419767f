package dev.xmem.core.store.log;

import java.util.concurrent.atomic.LongAdder;

/** Counts the hits and misses of the tail windows and the cache since a store was opened. Thread-safe. */
public final class ReadStats {
    final LongAdder tail = new LongAdder();
    final LongAdder cached = new LongAdder();
    final LongAdder loaded = new LongAdder();

    /** The hit rate of the tail windows, from 0 to 1; 1 before the first read. */
    public double tailWindowHitRate() {
        return rate(tail.sum(), cached.sum() + loaded.sum());
    }

    /** The hit rate of the cache for older blocks, from 0 to 1; 1 before the first look-up. */
    public double cacheHitRate() {
        return rate(cached.sum(), loaded.sum());
    }

    private static double rate(long hits, long misses) {
        return hits + misses == 0 ? 1.0 : (double) hits / (hits + misses);
    }
}
