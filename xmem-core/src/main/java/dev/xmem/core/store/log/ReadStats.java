package dev.xmem.core.store.log;

import java.util.concurrent.atomic.LongAdder;

/** Counts where the reads of a store's logs were answered from, since it was opened. Thread-safe. */
public final class ReadStats {
    final LongAdder tail = new LongAdder();
    final LongAdder cached = new LongAdder();
    final LongAdder loaded = new LongAdder();

    /** Notes whether the cache had an entry. */
    public void entry(boolean cachedIt) {
        (cachedIt ? cached : loaded).increment();
    }

    /** The share of reads that the tail window answered; 1 before the first. */
    public double tailWindowHitRate() {
        return share(tail.sum(), cached.sum() + loaded.sum());
    }

    /** The share of look-ups in the cache, for entries and for older parts, that it answered; 1 before the first. */
    public double cacheHitRate() {
        return share(cached.sum(), loaded.sum());
    }

    private static double share(long hits, long others) {
        return hits + others == 0 ? 1.0 : (double) hits / (hits + others);
    }
}
