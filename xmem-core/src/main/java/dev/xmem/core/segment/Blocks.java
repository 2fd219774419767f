package dev.xmem.core.segment;

import java.util.Arrays;
import java.util.BitSet;

/** All lines of some blocks of equal size. Immutable. */
public final class Blocks implements Postings {
    private final int[] starts;
    private final int blockLines;
    private final int size;

    /**
     * The lines of blocks.
     *
     * @param lines how many lines there are in all; the last block may be shorter
     */
    public Blocks(BitSet blocks, int blockLines, int lines) {
        this.starts = blocks.stream().map(block -> block * blockLines).toArray();
        this.blockLines = blockLines;
        int last = starts.length - 1;
        this.size = last < 0 ? 0 : last * blockLines + Math.min(blockLines, lines - starts[last]);
    }

    /** All of so many lines. */
    public static Blocks all(int lines) {
        BitSet one = new BitSet();
        one.set(0);
        return new Blocks(one, lines, lines);
    }

    @Override
    public int countBelow(int cutoff) {
        int at = Arrays.binarySearch(starts, cutoff);
        int before = at < 0 ? -at - 1 : at;
        if (before == 0) {
            return 0;
        }
        int inLast = Math.min(blockLines, cutoff - starts[before - 1]);
        return Math.min(size, (before - 1) * blockLines + inLast);
    }

    @Override
    public int at(int place) {
        return starts[place / blockLines] + place % blockLines;
    }

    @Override
    public boolean contains(int ordinal) {
        int at = Arrays.binarySearch(starts, ordinal);
        int block = at < 0 ? -at - 2 : at;
        return block >= 0 && ordinal - starts[block] < blockLines && countBelow(ordinal) < size;
    }
}
