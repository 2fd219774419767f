package dev.xmem.core.text.analysis;

import java.util.Arrays;

/**
 * The chunks seen until now and what became of them: nearly every one of a log comes again. When there are too many all are
 * forgotten; nothing is lost but time. A chunk is known by a number.
 */
final class ChunkCache {
    /** Longer ones, which hardly come again, are not kept. */
    static final int LONGEST = 128;

    private static final int SMALLEST = 1 << 6;
    private static final int MOST = 1 << 16;
    /** For each chunk its hash, where it begins among the characters, and where its steps begin. */
    private static final int SIZE = 3;

    private final TokenBuffer steps;
    private int[] table = new int[2 * SMALLEST];
    private int[] chunks = new int[SIZE * (SMALLEST + 1)];
    private char[] chars = new char[16 * SMALLEST];
    private int count;

    ChunkCache(TokenBuffer steps) {
        this.steps = steps;
    }

    /** The number of the chunk that stands in a text; below 0 if it was not seen. */
    int find(char[] text, int from, int to, int hash) {
        int mask = table.length - 1;
        for (int slot = hash & mask; table[slot] != 0; slot = (slot + 1) & mask) {
            int chunk = table[slot] - 1;
            if (chunks[SIZE * chunk] == hash && is(chunk, text, from, to)) {
                return chunk;
            }
        }
        return -1;
    }

    private boolean is(int chunk, char[] text, int from, int to) {
        int begin = chunks[SIZE * chunk + 1];
        if (chunks[SIZE * chunk + 1 + SIZE] - begin != to - from) {
            return false;
        }
        for (int i = from, k = begin; i < to; i++, k++) {
            if (text[i] != chars[k]) {
                return false;
            }
        }
        return true;
    }

    /** Where the steps of a chunk begin. */
    int begin(int chunk) {
        return chunks[SIZE * chunk + 2];
    }

    /** Where the steps of a chunk end. */
    int end(int chunk) {
        return chunks[SIZE * chunk + 2 + SIZE];
    }

    /** Makes room for one more chunk, whose steps come next. */
    void makeRoom() {
        if (count == MOST) {
            Arrays.fill(table, 0);
            steps.truncate(0);
            count = 0;
        }
    }

    /** Adds a chunk whose steps were the last to be added. Returns its number. */
    int add(char[] text, int from, int to, int hash) {
        if (2 * (count + 1) > table.length) {
            grow();
        }
        int end = chunks[SIZE * count + 1] + to - from;
        if (end > chars.length) {
            chars = Arrays.copyOf(chars, Math.max(end, 2 * chars.length));
        }
        System.arraycopy(text, from, chars, end - (to - from), to - from);
        int chunk = count++;
        chunks[SIZE * chunk] = hash;
        chunks[SIZE * count + 1] = end;
        chunks[SIZE * count + 2] = steps.count();
        enter(chunk);
        return chunk;
    }

    private void enter(int chunk) {
        int mask = table.length - 1;
        int slot = chunks[SIZE * chunk] & mask;
        while (table[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        table[slot] = chunk + 1;
    }

    private void grow() {
        table = new int[2 * table.length];
        chunks = Arrays.copyOf(chunks, SIZE * (table.length / 2 + 1));
        for (int chunk = 0; chunk < count; chunk++) {
            enter(chunk);
        }
    }
}
