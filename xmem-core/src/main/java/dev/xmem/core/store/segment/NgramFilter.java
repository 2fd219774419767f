package dev.xmem.core.store.segment;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * In which lines a text may be, by its characters. {@link TrigramFilter} bounds the blocks of lines. For phrases of
 * common words, of which every block has all trigrams, {@link WordPairFilter} bounds smaller groups. Immutable and
 * thread-safe.
 */
public final class NgramFilter {
    private final SectionFile segment;
    private final TrigramFilter trigrams;
    /** One for each part of a merged segment, opened when it is needed; else a single one. */
    private final AtomicReferenceArray<@Nullable WordPairFilter> wordPairs;

    private final int partLines;
    private final int lines;

    /** The filter of a segment of {@code lines} lines. */
    public NgramFilter(SectionFile segment, int lines) throws CorruptSegmentException {
        this.segment = segment;
        this.trigrams = new TrigramFilter(segment, lines);
        this.wordPairs = new AtomicReferenceArray<>(Math.max(1, segment.parts()));
        this.partLines = lines / wordPairs.length();
        this.lines = lines;
        if (segment.parts() == 0) {
            wordPairs.set(0, new WordPairFilter(segment, lines));
        }
    }

    private WordPairFilter wordPairs(int part) {
        WordPairFilter known = wordPairs.get(part);
        if (known == null) {
            try {
                known = new WordPairFilter(segment.part(part), partLines);
            } catch (CorruptSegmentException e) {
                throw new UncheckedIOException(e);
            }
            wordPairs.set(part, known);
        }
        return known;
    }

    /** The groups of the parts with any of these blocks that may hold a text; null if nothing is known of it. */
    private @Nullable BitSet mayHoldPairs(String text, BitSet blocks) {
        if (wordPairs.length() == 1) {
            return wordPairs(0).mayHold(text);
        }
        BitSet all = new BitSet();
        boolean some = false;
        for (int part = 0; part < wordPairs.length(); part++) {
            int from = part * partLines;
            int block = blocks.nextSetBit(from / TrigramFilter.BLOCK_LINES);
            if (block < 0 || block * TrigramFilter.BLOCK_LINES >= from + partLines) {
                continue;
            }
            int group = from / WordPairFilter.GROUP_LINES;
            BitSet groups = wordPairs(part).mayHold(text);
            some |= groups != null;
            if (groups == null) {
                all.set(group, WordPairFilter.groupsOf(from + partLines));
            } else {
                groups.stream().forEach(each -> all.set(group + each));
            }
        }
        return some ? all : null;
    }

    /** Collects the n-grams of texts. One thread adds. */
    public static final class Builder {
        private final TrigramFilter.Builder trigrams;
        private final WordPairFilterBuilder wordPairs;
        private final int lines;

        /** A builder for at most {@code lines} lines. */
        public Builder(int lines) {
            this.trigrams = new TrigramFilter.Builder(lines);
            this.wordPairs = new WordPairFilterBuilder(lines);
            this.lines = lines;
        }

        /** Adds a text of a line, from an array. Lines do not descend. */
        public void add(int line, char[] in, int from, int length) {
            trigrams.add(line, in, from, length);
            wordPairs.add(line, in, from, length);
        }

        /** As {@link NgramFilter#mayHold}, of the lines added before. Any thread that sees them may call it. */
        public @Nullable BlockPostings mayHold(String text) {
            return NgramFilter.mayHold(trigrams.mayHold(text), blocks -> wordPairs.mayHold(text), lines);
        }

        /** Writes the sections. */
        public void write(SectionWriter out) {
            trigrams.write(out);
            wordPairs.write(out);
        }
    }

    /** The lines that may hold a text; null if the text is shorter than a trigram. */
    public @Nullable BlockPostings mayHold(String text) {
        return mayHold(trigrams.mayHold(text), blocks -> mayHoldPairs(text, blocks), lines);
    }

    /** The groups of some blocks that may hold a text by its pairs of words; null if nothing is known of them. */
    private interface PairFilter {
        @Nullable BitSet in(BitSet blocks);
    }

    private static @Nullable BlockPostings mayHold(@Nullable BitSet blocks, PairFilter wordPairs, int lines) {
        if (blocks == null) {
            return null;
        }
        BitSet groups = blocks.isEmpty() ? null : wordPairs.in(blocks);
        if (groups == null) {
            return new BlockPostings(blocks, TrigramFilter.BLOCK_LINES, lines);
        }
        int size = TrigramFilter.BLOCK_LINES / WordPairFilter.GROUP_LINES;
        for (int block = blocks.nextClearBit(0);
                block * size < groups.length();
                block = blocks.nextClearBit(block + 1)) {
            groups.clear(block * size, (block + 1) * size);
        }
        return new BlockPostings(groups, WordPairFilter.GROUP_LINES, lines);
    }

    /** The lines of some blocks of equal size. Immutable. */
    public static final class BlockPostings implements Postings {
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
}
