package dev.xmem.postgres;

import java.util.Collection;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A Bloom filter of families (B. Bloom, Space/time trade-offs in hash coding with allowable errors, 1970): it may take
 * an unknown family for a known one, never the reverse. With 16 bits a family and four probes, 0.2 % of the unknown
 * ones are taken for known. Thread-safe.
 */
final class FamilyFilter {
    private static final int BITS = 16;
    private static final int PROBES = 4;
    private static final int LEAST = 1 << 12;
    private static final int MOST = 1 << 24;

    private final AtomicLongArray words;
    private final int capacity;
    private int size;

    /** A filter with room for a number of families. */
    FamilyFilter(int families) {
        this.capacity = Math.max(LEAST, Math.min(MOST, Integer.highestOneBit(Math.max(1, families)) * 2));
        this.words = new AtomicLongArray(capacity / Long.SIZE * BITS);
    }

    /** The key of a family: 64 bits of FNV-1a, mixed. */
    static long key(String family) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : FamilyWriter.bytes(family)) {
            hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 32)) * 0xd6e8feb86659fd93L;
        return hash ^ (hash >>> 32);
    }

    /** Adds the keys that are not there. */
    synchronized void add(Collection<Long> keys) {
        for (long key : keys) {
            if (!mayHave(key)) {
                add(key);
            }
        }
    }

    private void add(long key) {
        size++;
        for (int i = 0; i < PROBES; i++) {
            long bit = bit(key, i);
            int word = (int) (bit >>> 6);
            words.set(word, words.get(word) | 1L << bit);
        }
    }

    boolean mayHave(long key) {
        for (int i = 0; i < PROBES; i++) {
            long bit = bit(key, i);
            if ((words.get((int) (bit >>> 6)) & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether it has more families than it has room for: then it takes too many for known. */
    synchronized boolean isFull() {
        return size > capacity && capacity < MOST;
    }

    private long bit(long key, int probe) {
        long step = key >>> 32 | 1;
        return Math.floorMod(key + probe * step, (long) words.length() * Long.SIZE);
    }
}
