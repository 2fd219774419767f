package dev.xmem.core.store.segment;

import java.util.Arrays;
import java.util.BitSet;

/** The lines of some blocks of equal size. Immutable. */
public final class BlockPostings implements Postings {
    private final BitSet blocks;
    private final int[] starts;
    private final int blockLines;
    private final int lines;
    private final int size;

    /**
     * The lines of blocks.
     *
     * @param blocks the blocks; not changed any more
     * @param lines the number of all lines; the last block may be shorter
     */
    BlockPostings(BitSet blocks, int blockLines, int lines) {
        this.blocks = blocks;
        this.starts = blocks.stream().map(block -> block * blockLines).toArray();
        this.blockLines = blockLines;
        this.lines = lines;
        int last = starts.length - 1;
        this.size = last < 0 ? 0 : last * blockLines + Math.min(blockLines, lines - starts[last]);
    }

    /** All lines below a number. */
    public static BlockPostings all(int lines) {
        BitSet one = new BitSet();
        one.set(0);
        return new BlockPostings(one, lines, lines);
    }

    /** These lines, and all from the block of a line on. */
    public BlockPostings andFrom(int line) {
        BitSet more = (BitSet) blocks.clone();
        more.set(line / blockLines, (lines - 1) / blockLines + 1);
        return new BlockPostings(more, blockLines, lines);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return size == 0;
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
        return ordinal >= 0 && ordinal < lines && blocks.get(ordinal / blockLines);
    }
}
