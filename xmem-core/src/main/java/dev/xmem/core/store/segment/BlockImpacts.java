package dev.xmem.core.store.segment;

import dev.xmem.core.store.terms.Impacts;
import dev.xmem.core.store.terms.PostingsIterator;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The impacts of a posting list in a segment, in blocks of {@value #BLOCK} postings: the number of blocks, the pairs of
 * the whole list, and of each block the distance of its last line to that of the block before, or to -1, the length of
 * its postings in bytes, and its pairs, all varints. Pairs are their number, and of each the distances of weight and
 * length to those of the pair before, or to 0; both ascend. Not thread-safe.
 */
final class BlockImpacts implements Impacts {
    /** A list of fewer postings has no impacts. */
    static final int BLOCK = 128;

    private static final int WEIGHTS = 256;
    /** More than a block takes: two numbers, and the number of pairs, each of a weight and a length. */
    private static final int MOST_BYTES = 15 + WEIGHTS * 7;

    private final byte[] in;
    private final int base;
    private final int limit;
    private final int blocks;
    private final int list;
    private int at;
    /** Of each block: its last line, where its postings end, and where its pairs begin; once they are read. */
    private int @Nullable [][] table;

    /**
     * The impacts in a section.
     *
     * @param base the line that the list calls 0
     * @param lines how many lines the list is of
     */
    BlockImpacts(ByteBuffer in, int from, int to, int base, int lines) {
        this.in = new byte[Math.max(0, to - from)];
        this.base = base;
        this.limit = base + lines;
        in.get(from, this.in);
        this.blocks = Objects.checkIndex(read(), to - from);
        this.list = at;
    }

    private int read() {
        byte b = in[at++];
        int number = b & 0x7F;
        for (int shift = 7; b < 0; shift += 7) {
            b = in[at++];
            number |= (b & 0x7F) << shift;
        }
        return number;
    }

    private double bestPair(int pairs, Score score) {
        at = pairs;
        double best = 0;
        int weight = 0;
        int length = 0;
        for (int n = read(); n > 0; n--) {
            weight += read();
            length += read();
            best = Math.max(best, score.of(Objects.checkIndex(weight, WEIGHTS), length));
        }
        return best;
    }

    private void skipPairs() {
        for (int n = 2 * read(); n > 0; n--) {
            read();
        }
    }

    private int[][] table() {
        int[][] known = table;
        if (known == null) {
            known = new int[3][blocks];
            at = list;
            skipPairs();
            int last = base - 1;
            int end = 0;
            for (int i = 0; i < blocks; i++) {
                int lines = read();
                last = Objects.checkIndex(lines > 0 ? last + lines : -1, limit);
                end = Math.addExact(end, Objects.checkIndex(read(), Integer.MAX_VALUE));
                known[0][i] = last;
                known[1][i] = end;
                known[2][i] = at;
                skipPairs();
            }
            table = known;
        }
        return known;
    }

    @Override
    public double best(Score score) {
        return bestPair(list, score);
    }

    @Override
    public int blocks() {
        return blocks;
    }

    @Override
    public int last(int block) {
        return table()[0][block];
    }

    @Override
    public double best(int block, Score score) {
        return bestPair(table()[2][block], score);
    }

    /** Where the postings of a block end, in bytes from the first. */
    int end(int block) {
        return table()[1][block];
    }

    /**
     * Encodes the impacts of a posting list.
     *
     * @param postings the list, as {@link PostingsIterator#over} reads it
     * @param count how many postings it has
     * @param words the number of words of a line
     */
    static byte[] encode(byte[] postings, int count, IntUnaryOperator words) {
        int[] all = noPairs();
        byte[] blocks = new byte[MOST_BYTES];
        int at = 0;
        int before = -1;
        int begin = 0;
        PostingsIterator next = PostingsIterator.over(postings, 0, Integer.MAX_VALUE);
        for (int left = count; next != null && left > 0; left -= BLOCK) {
            int[] some = noPairs();
            int last = before;
            int end = begin;
            for (int i = Math.min(BLOCK, left); i > 0; i--) {
                last = next.ordinal();
                int weight = next.weight();
                some[weight] = Math.min(some[weight], words.applyAsInt(last));
                all[weight] = Math.min(all[weight], some[weight]);
                end = next.position();
                next.next();
            }
            if (blocks.length - at < MOST_BYTES) {
                blocks = Arrays.copyOf(blocks, 2 * blocks.length);
            }
            at = Varints.put(blocks, at, last - before);
            at = Varints.put(blocks, at, end - begin);
            at = putPairs(some, blocks, at);
            before = last;
            begin = end;
        }
        byte[] bytes = new byte[MOST_BYTES + at];
        int head = putPairs(all, bytes, Varints.put(bytes, 0, (count + BLOCK - 1) / BLOCK));
        System.arraycopy(blocks, 0, bytes, head, at);
        return Arrays.copyOf(bytes, head + at);
    }

    private static int[] noPairs() {
        int[] shortest = new int[WEIGHTS];
        Arrays.fill(shortest, Integer.MAX_VALUE);
        return shortest;
    }

    /** Writes the pairs that no other beats; returns the index after them. */
    private static int putPairs(int[] shortest, byte[] into, int from) {
        int n = 0;
        int least = Integer.MAX_VALUE;
        for (int weight = WEIGHTS - 1; weight > 0; weight--) {
            if (shortest[weight] < least) {
                least = shortest[weight];
                n++;
            } else {
                shortest[weight] = Integer.MAX_VALUE;
            }
        }
        int at = Varints.put(into, from, n);
        int weightBefore = 0;
        int lengthBefore = 0;
        for (int weight = 1; weight < WEIGHTS; weight++) {
            if (shortest[weight] != Integer.MAX_VALUE) {
                at = Varints.put(into, at, weight - weightBefore);
                at = Varints.put(into, at, shortest[weight] - lengthBefore);
                weightBefore = weight;
                lengthBefore = shortest[weight];
            }
        }
        return at;
    }
}
