package dev.xmem.core.store.segment;

import java.util.Arrays;

/**
 * The commonest runs of three characters on one side of a space, each known by a number, in an open-addressed table that is
 * less than half full. Immutable.
 */
final class WordEdges {
    /** How many characters a half has. */
    static final int LENGTH = 3;

    /** The most there are. */
    static final int MOST = 96;

    /** Of so many halves it is found out which are the commonest. */
    static final int SAMPLE = 1 << 15;

    private static final int SLOTS_SHIFT = 8;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private static final long NONE = -1;

    private final long[] halves;
    private final long[] slots = new long[1 << SLOTS_SHIFT];
    private final byte[] numbers = new byte[1 << SLOTS_SHIFT];

    /** These, which are different, under the numbers of their places. */
    WordEdges(long... halves) {
        this.halves = halves.clone();
        Arrays.fill(slots, NONE);
        for (int number = 0; number < halves.length; number++) {
            int slot = slot(halves[number]);
            while (slots[slot] != NONE) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = halves[number];
            numbers[slot] = (byte) number;
        }
    }

    /** The commonest of some, of at most {@value #SAMPLE}; of those that are as common the lower ones. */
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
                .map(half -> half & (1L << Character.SIZE * LENGTH) - 1)
                .toArray());
    }

    /** Three characters in a row as a number. */
    static long of(char a, char b, char c) {
        return (long) a << 2 * Character.SIZE | (long) b << Character.SIZE | c;
    }

    private static int slot(long half) {
        return (int) (half * MULTIPLIER >>> Long.SIZE - SLOTS_SHIFT);
    }

    /** The number of a half; below 0 if it is not among them. */
    int find(long half) {
        for (int slot = slot(half); slots[slot] != NONE; slot = slot + 1 & slots.length - 1) {
            if (slots[slot] == half) {
                return numbers[slot];
            }
        }
        return -1;
    }

    /** How many there are. */
    int count() {
        return halves.length;
    }

    /** The half with a number. */
    long get(int number) {
        return halves[number];
    }
}
