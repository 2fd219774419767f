package dev.xmem.core.store.segment;

import java.util.Arrays;

/** Byte strings in one array, numbered from 0. Not thread-safe. */
final class ByteArrays {
    private static final int PREFIX_BYTES = Long.BYTES;
    private static final int SHORT_RUN = 8;

    private byte[] bytes = new byte[1 << 10];
    private int[] ends = new int[1 << 6];
    private int count;

    /** Adds a string; returns its number. */
    int add(byte[] from, int start, int length) {
        int begin = reserve(length);
        System.arraycopy(from, start, bytes, begin, length);
        return count - 1;
    }

    /** Adds a string of {@code length} bytes, which the caller writes; returns where it begins in {@link #bytes}. */
    int reserve(int length) {
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

    int count() {
        return count;
    }

    /** The array; it may be replaced when a string is added. */
    byte[] bytes() {
        return bytes;
    }

    /** Where a string begins in the array. */
    int start(int number) {
        return number == 0 ? 0 : ends[number - 1];
    }

    /** Where a string ends. */
    int end(int number) {
        return ends[number];
    }

    private int end() {
        return count == 0 ? 0 : ends[count - 1];
    }

    byte[] get(int number) {
        return Arrays.copyOfRange(bytes, start(number), end(number));
    }

    /** The numbers in unsigned order of the bytes. A merge sort: no input makes it slow. */
    int[] order() {
        Run all = new Run(count);
        for (int i = 0; i < count; i++) {
            all.set(i, i, prefix(i));
        }
        for (int from = 0; from < count; from += SHORT_RUN) {
            insert(all, from, Math.min(count, from + SHORT_RUN));
        }
        Run other = new Run(count);
        for (long run = SHORT_RUN; run < count; run *= 2) {
            for (long from = 0; from < count; from += 2 * run) {
                merge(all, other, (int) from, (int) Math.min(count, from + run), (int) Math.min(count, from + 2 * run));
            }
            Run merged = other;
            other = all;
            all = merged;
        }
        return all.numbers;
    }

    /** Strings that are sorted: their numbers beside their first bytes, so that most comparisons read in order. */
    private static final class Run {
        final int[] numbers;
        final long[] prefixes;

        Run(int size) {
            this.numbers = new int[size];
            this.prefixes = new long[size];
        }

        void set(int place, int number, long prefix) {
            numbers[place] = number;
            prefixes[place] = prefix;
        }
    }

    /** The first bytes as a number with the same order, padded with zeros. */
    private long prefix(int number) {
        long prefix = 0;
        int start = start(number);
        int n = Math.min(PREFIX_BYTES, end(number) - start);
        for (int i = 0; i < n; i++) {
            prefix |= (bytes[start + i] & 0xFFL) << 8 * (PREFIX_BYTES - 1 - i);
        }
        return prefix + Long.MIN_VALUE;
    }

    private boolean isAfter(long prefixA, int a, long prefixB, int b) {
        if (prefixA != prefixB) {
            return prefixA > prefixB;
        }
        return Arrays.compareUnsigned(bytes, start(a), end(a), bytes, start(b), end(b)) > 0;
    }

    private void insert(Run all, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int number = all.numbers[i];
            long prefix = all.prefixes[i];
            int k = i;
            for (; k > from && isAfter(all.prefixes[k - 1], all.numbers[k - 1], prefix, number); k--) {
                all.set(k, all.numbers[k - 1], all.prefixes[k - 1]);
            }
            all.set(k, number, prefix);
        }
    }

    private void merge(Run in, Run out, int from, int middle, int to) {
        int a = from;
        int b = middle;
        for (int i = from; i < to; i++) {
            boolean second =
                    a == middle || b < to && isAfter(in.prefixes[a], in.numbers[a], in.prefixes[b], in.numbers[b]);
            int next = second ? b++ : a++;
            out.set(i, in.numbers[next], in.prefixes[next]);
        }
    }
}
