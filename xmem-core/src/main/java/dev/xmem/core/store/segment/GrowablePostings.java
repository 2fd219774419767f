package dev.xmem.core.store.segment;

import java.util.Arrays;

/** A posting list in memory. One writer, many readers: an ordinal becomes visible by the volatile write of the size. */
public final class GrowablePostings implements Postings {
    private static final int[] NONE = {};

    private int[] ordinals = NONE;
    private volatile int size;

    /** Adds an ordinal that is not below the last. */
    public void add(int ordinal) {
        int n = size;
        if (n > 0 && ordinals[n - 1] == ordinal) {
            return;
        }
        if (n == ordinals.length) {
            ordinals = Arrays.copyOf(ordinals, Math.max(2, n + (n >> 1)));
        }
        ordinals[n] = ordinal;
        size = n + 1;
    }

    @Override
    public int countBelow(int cutoff) {
        int n = size;
        int[] known = ordinals;
        if (n == 0 || known[n - 1] < cutoff) {
            return n;
        }
        int at = Arrays.binarySearch(known, 0, n, cutoff);
        return at < 0 ? -at - 1 : at;
    }

    @Override
    public int at(int place) {
        return ordinals[place];
    }

    @Override
    public boolean contains(int ordinal) {
        int n = size;
        return n > 0 && Arrays.binarySearch(ordinals, 0, n, ordinal) >= 0;
    }
}
