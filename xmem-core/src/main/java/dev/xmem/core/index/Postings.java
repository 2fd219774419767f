package dev.xmem.core.index;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Ascending ordinals. One writer, many readers: see the package. */
public final class Postings {
    private static final int[] NONE = {};

    /** No ordinals. */
    public static final Postings EMPTY = new Postings();

    private int[] ordinals = NONE;
    private volatile int size;

    /** These ordinals, which ascend. */
    public static Postings of(IntStream ascending) {
        Postings postings = new Postings();
        ascending.forEach(postings::add);
        return postings;
    }

    void add(int ordinal) {
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

    /** How many are below this one. */
    public int countBelow(int cutoff) {
        int n = size;
        int[] known = ordinals;
        if (n == 0 || known[n - 1] < cutoff) {
            return n;
        }
        int at = Arrays.binarySearch(known, 0, n, cutoff);
        return at < 0 ? -at - 1 : at;
    }

    /** The ordinal at a place that {@link #countBelow} counted. */
    public int at(int place) {
        return ordinals[place];
    }

    /** Whether this ordinal is among them. */
    public boolean contains(int ordinal) {
        int n = size;
        return n > 0 && Arrays.binarySearch(ordinals, 0, n, ordinal) >= 0;
    }
}
