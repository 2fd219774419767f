package dev.xmem.core.store.segment;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * In which lines a text may stand, by its characters: {@link TrigramFilter} tell the blocks of lines, and of phrases of common words, for
 * which these say nothing, {@link WordPairFilter} smaller ones. Immutable and thread-safe.
 */
public final class NgramFilter {
    private final TrigramFilter trigrams;
    private final WordPairFilter bigrams;
    private final int lines;

    /** Those of a segment of so many lines. */
    public NgramFilter(SectionFile segment, int lines) throws CorruptSegmentException {
        this.trigrams = new TrigramFilter(segment, lines);
        this.bigrams = new WordPairFilter(segment, lines);
        this.lines = lines;
    }

    /** Collects those of texts. One thread only. */
    public static final class Builder {
        private final TrigramFilter.Builder trigrams;
        private final WordPairFilterBuilder bigrams;
        private final int lines;

        /** For so many lines. */
        public Builder(int lines) {
            this.trigrams = new TrigramFilter.Builder(lines);
            this.bigrams = new WordPairFilterBuilder(lines);
            this.lines = lines;
        }

        /** Adds a text of a line, which stands in an array. The line is not below that before. */
        public void add(int line, char[] in, int from, int length) {
            trigrams.add(line, in, from, length);
            bigrams.add(line, in, from, length);
        }

        /** Makes {@link #mayHold} know of all that was added. */
        public void flush() {
            trigrams.flush();
        }

        /** As {@link NgramFilter#mayHold}, for the lines added before the last {@link #flush}. By any thread that knows of them. */
        public @Nullable BlockPostings mayHold(String text) {
            BitSet blocks = trigrams.mayHold(text);
            return blocks == null
                    ? null
                    : NgramFilter.of(blocks, blocks.isEmpty() ? null : bigrams.mayHold(text), lines);
        }

        /** Writes them as sections. */
        public void write(SectionWriter out) {
            trigrams.write(out);
            bigrams.write(out);
        }
    }

    /** The lines that may hold a text; null if that is not known of so short a one. */
    public @Nullable BlockPostings mayHold(String text) {
        BitSet blocks = trigrams.mayHold(text);
        return blocks == null ? null : of(blocks, blocks.isEmpty() ? null : bigrams.mayHold(text), lines);
    }

    private static BlockPostings of(BitSet blocks, @Nullable BitSet groups, int lines) {
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
}
