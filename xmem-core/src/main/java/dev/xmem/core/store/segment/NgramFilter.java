package dev.xmem.core.store.segment;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * In which lines a text may be, by its characters. {@link TrigramFilter} bounds the blocks of lines. For phrases of
 * common words, of which every block has all trigrams, {@link WordPairFilter} bounds smaller groups. Immutable and
 * thread-safe.
 */
public final class NgramFilter {
    private final TrigramFilter trigrams;
    private final WordPairFilter wordPairs;
    private final int lines;

    /** The filter of a segment of {@code lines} lines. */
    public NgramFilter(SectionFile segment, int lines) throws CorruptSegmentException {
        this.trigrams = new TrigramFilter(segment, lines);
        this.wordPairs = new WordPairFilter(segment, lines);
        this.lines = lines;
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

        /** Makes all that was added visible to {@link #mayHold}. */
        public void flush() {
            trigrams.flush();
        }

        /**
         * As {@link NgramFilter#mayHold}, of the lines before the last {@link #flush}. Any thread that sees that flush
         * may call it.
         */
        public @Nullable BlockPostings mayHold(String text) {
            return NgramFilter.mayHold(text, trigrams::mayHold, wordPairs::mayHold, lines);
        }

        /** Writes the sections. */
        public void write(SectionWriter out) {
            trigrams.write(out);
            wordPairs.write(out);
        }
    }

    /** The lines that may hold a text; null if the text is shorter than a trigram. */
    public @Nullable BlockPostings mayHold(String text) {
        return mayHold(text, trigrams::mayHold, wordPairs::mayHold, lines);
    }

    /** What a filter of one kind knows of a text: the blocks or groups that may hold it; null for nothing. */
    private interface Filter {
        @Nullable BitSet mayHold(String text);
    }

    private static @Nullable BlockPostings mayHold(String text, Filter trigrams, Filter wordPairs, int lines) {
        BitSet blocks = trigrams.mayHold(text);
        if (blocks == null) {
            return null;
        }
        BitSet groups = blocks.isEmpty() ? null : wordPairs.mayHold(text);
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
