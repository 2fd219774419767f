package dev.xmem.core.store.segment;

import java.util.Arrays;

/** Byte strings one after the other in one array, known by their numbers from 0 on. One thread only. */
final class ByteArrays {
    private static final int PREFIX_BYTES = Long.BYTES;
    private static final int SHORT_RUN = 8;

    private byte[] bytes = new byte[1 << 10];
    private int[] ends = new int[1 << 6];
    private int count;

    /** Adds one; returns its number. */
    public int add(byte[] from, int start, int length) {
        int begin = reserve(length);
        System.arraycopy(from, start, bytes, begin, length);
        return count - 1;
    }

    /** Adds one of so many zeros, which are to be written. Returns where it begins in {@link #bytes}. */
    public int reserve(int length) {
        int begin = end();
        int end = Math.addExact(begin, length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(end, Math.min(2L * bytes.length, Integer.MAX_VALUE - 16)));
        }
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        ends[count++] = end;
        return begin;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** The array they are in; another one as soon as one is added. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where one begins in the array. */
    public int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    /** Where one ends. */
    public int end(int number) {
        return ends[number];
    }

    private int end() {
        return count == 0 ? 0 : ends[count - 1];
    }

    byte[] get(int number) {
        return Arrays.copyOfRange(bytes, start(number), end(number));
    }

    /** The numbers in the order of the bytes, unsigned. Sorted by merging, so that no choice of bytes makes it slow. */
    int[] order() {
        long[] prefixes = new long[count];
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            prefixes[i] = prefix(i);
            order[i] = i;
        }
        for (int from = 0; from < count; from += SHORT_RUN) {
            insert(order, prefixes, from, Math.min(count, from + SHORT_RUN));
        }
        int[] other = new int[count];
        for (long run = SHORT_RUN; run < count; run *= 2) {
            for (long from = 0; from < count; from += 2 * run) {
                merge(order, other, prefixes, (int) from, (int) Math.min(count, from + run), (int)
                        Math.min(count, from + 2 * run));
            }
            int[] merged = other;
            other = order;
            order = merged;
        }
        return order;
    }

    /** The first bytes as a number that is in their order; what is shorter is filled up with zeros. */
    private long prefix(int number) {
        long prefix = 0;
        int start = start(number);
        int n = Math.min(PREFIX_BYTES, end(number) - start);
        for (int i = 0; i < n; i++) {
            prefix |= (bytes[start + i] & 0xFFL) << 8 * (PREFIX_BYTES - 1 - i);
        }
        return prefix + Long.MIN_VALUE;
    }

    private boolean isAfter(int a, int b, long[] prefixes) {
        if (prefixes[a] != prefixes[b]) {
            return prefixes[a] > prefixes[b];
        }
        return Arrays.compareUnsigned(bytes, start(a), end(a), bytes, start(b), end(b)) > 0;
    }

    private void insert(int[] order, long[] prefixes, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int number = order[i];
            int k = i;
            for (; k > from && isAfter(order[k - 1], number, prefixes); k--) {
                order[k] = order[k - 1];
            }
            order[k] = number;
        }
    }

    private void merge(int[] in, int[] out, long[] prefixes, int from, int middle, int to) {
        int a = from;
        int b = middle;
        for (int i = from; i < to; i++) {
            boolean second = a == middle || b < to && isAfter(in[a], in[b], prefixes);
            out[i] = second ? in[b++] : in[a++];
        }
    }
}
