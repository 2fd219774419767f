package dev.xmem.core.store.terms;

import java.util.Arrays;

/**
 * How many entries stand below an ordinal and how many words they have: running sums, so that both are exact at any
 * cutoff. Twelve bytes an ordinal, gaps included. One writer; readers see all below a cutoff that was published by a
 * volatile write after {@link #add}.
 */
final class FieldLengths {
    /** {@code words[i]}: words in all entries below {@code i}. */
    private volatile long[] words = new long[64];

    private volatile int[] entries = new int[64];
    /** One past the last ordinal. The writer's own. */
    private int end;

    void add(int ordinal, int length) {
        long[] allWords = words;
        int[] allEntries = entries;
        if (ordinal + 1 >= allWords.length) {
            int size = (int) Math.min(Integer.MAX_VALUE - 8, (ordinal + 2L) * 3 / 2);
            allWords = Arrays.copyOf(allWords, size);
            allEntries = Arrays.copyOf(allEntries, size);
            words = allWords;
            entries = allEntries;
        }
        Arrays.fill(allWords, end + 1, ordinal + 1, allWords[end]);
        Arrays.fill(allEntries, end + 1, ordinal + 1, allEntries[end]);
        allWords[ordinal + 1] = allWords[ordinal] + length;
        allEntries[ordinal + 1] = allEntries[ordinal] + 1;
        end = ordinal + 1;
    }

    int end() {
        return end;
    }

    long[] words() {
        return words;
    }

    int[] entries() {
        return entries;
    }

    long memory() {
        return 12L * words.length;
    }
}
