package dev.xmem.core.store.segment;

import java.util.Arrays;

/**
 * The commonest ends of words, or beginnings of words: three characters beside a space. Each has a number, found
 * through an open-addressed table that is less than half full. Immutable.
 */
final class WordEdges {
    /** The number of characters of an edge. */
    static final int LENGTH = 3;

    /** The most edges there are. */
    static final int MOST = 96;

    /** The number of edges that decide which are the commonest. */
    static final int SAMPLE = 1 << 15;

    private static final int SLOTS_SHIFT = 8;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final long NONE = -1;

    private final long[] edges;
    private final long[] slots = new long[1 << SLOTS_SHIFT];
    private final byte[] numbers = new byte[1 << SLOTS_SHIFT];

    /** Different edges, numbered by their places. */
    WordEdges(long... edges) {
        this.edges = edges.clone();
        Arrays.fill(slots, NONE);
        for (int number = 0; number < edges.length; number++) {
            int slot = slot(edges[number]);
            while (slots[slot] != NONE) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = edges[number];
            numbers[slot] = (byte) number;
        }
    }

    /** The commonest of at most {@value #SAMPLE} edges; of equally common ones the lower. */
    static WordEdges commonest(long[] sample, int size) {
        long[] sorted = Arrays.copyOf(sample, size);
        Arrays.sort(sorted);
        long[] counted = new long[size];
        int n = 0;
        for (int from = 0, to; from < size; from = to) {
            to = from;
            while (to < size && sorted[to] == sorted[from]) {
                to++;
            }
            counted[n++] = (long) (SAMPLE - (to - from)) << Character.SIZE * LENGTH | sorted[from];
        }
        Arrays.sort(counted, 0, n);
        return new WordEdges(Arrays.stream(counted, 0, Math.min(n, MOST))
                .map(edge -> edge & (1L << Character.SIZE * LENGTH) - 1)
                .toArray());
    }

    /** An edge as a number. */
    static long of(char a, char b, char c) {
        return (long) a << 2 * Character.SIZE | (long) b << Character.SIZE | c;
    }

    private static int slot(long edge) {
        return (int) (edge * MULTIPLIER >>> Long.SIZE - SLOTS_SHIFT);
    }

    /** The number of an edge; negative if it is not among them. */
    int find(long edge) {
        for (int slot = slot(edge); slots[slot] != NONE; slot = slot + 1 & slots.length - 1) {
            if (slots[slot] == edge) {
                return numbers[slot];
            }
        }
        return -1;
    }

    /** The number of edges. */
    int count() {
        return edges.length;
    }

    /** The edge with a number. */
    long get(int number) {
        return edges[number];
    }
}
