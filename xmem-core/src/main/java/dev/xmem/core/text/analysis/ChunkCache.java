package dev.xmem.core.text.analysis;

import java.util.Arrays;

/**
 * A cache from a chunk of text to its tokens in a {@link TokenBuffer}: nearly every chunk of a log recurs. A chunk is
 * identified by a number. A full cache is emptied. An open-addressing hash table over flat arrays, for one thread.
 */
final class ChunkCache {
    /** The maximum length of a cached chunk; longer ones hardly recur. */
    static final int LONGEST = 128;

    private static final int SMALLEST = 1 << 6;
    private static final int MOST = 1 << 16;
    /** The numbers per chunk: its hash, the start of its characters and the start of its tokens. */
    private static final int SIZE = 3;

    private final TokenBuffer tokens;
    private int[] table = new int[2 * SMALLEST];
    private int[] chunks = new int[SIZE * (SMALLEST + 1)];
    private char[] chars = new char[16 * SMALLEST];
    private int count;

    ChunkCache(TokenBuffer tokens) {
        this.tokens = tokens;
    }

    /** The number of the chunk in a range of a text; negative if it is not cached. */
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
        return Arrays.equals(chars, begin, chunks[SIZE * chunk + 1 + SIZE], text, from, to);
    }

    /** The first token of a chunk. */
    int begin(int chunk) {
        return chunks[SIZE * chunk + 2];
    }

    /** The end of the tokens of a chunk. */
    int end(int chunk) {
        return chunks[SIZE * chunk + 2 + SIZE];
    }

    /** Makes room for one more chunk. Called before its tokens are added. */
    void makeRoom() {
        if (count == MOST) {
            Arrays.fill(table, 0);
            tokens.truncate(0);
            count = 0;
        }
    }

    /** Adds a chunk whose tokens were added last. Returns its number. */
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
        chunks[SIZE * count + 2] = tokens.count();
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
