package dev.xmem.core.segment;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * In which lines a text may stand, by its characters: {@link Trigrams} tell the blocks of lines, and of phrases of common words, for
 * which these say nothing, {@link Bigrams} smaller ones. Immutable and thread-safe.
 */
public final class Grams {
    private final Trigrams trigrams;
    private final Bigrams bigrams;
    private final int lines;

    /** Those of a segment of so many lines. */
    public Grams(Segment segment, int lines) throws BadSegment {
        this.trigrams = new Trigrams(segment, lines);
        this.bigrams = new Bigrams(segment, lines);
        this.lines = lines;
    }

    /** Collects those of texts. One thread only. */
    public static final class Builder {
        private final Trigrams.Builder trigrams;
        private final BigramsOfLines bigrams;
        private final int lines;

        /** For so many lines. */
        public Builder(int lines) {
            this.trigrams = new Trigrams.Builder(lines);
            this.bigrams = new BigramsOfLines(lines);
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

        /** As {@link Grams#mayHold}, for the lines added before the last {@link #flush}. By any thread that knows of them. */
        public @Nullable Blocks mayHold(String text) {
            BitSet blocks = trigrams.mayHold(text);
            return blocks == null ? null : Grams.of(blocks, blocks.isEmpty() ? null : bigrams.mayHold(text), lines);
        }

        /** Writes them as sections. */
        public void write(SegmentWriter out) {
            trigrams.write(out);
            bigrams.write(out);
        }
    }

    /** The lines that may hold a text; null if that is not known of so short a one. */
    public @Nullable Blocks mayHold(String text) {
        BitSet blocks = trigrams.mayHold(text);
        return blocks == null ? null : of(blocks, blocks.isEmpty() ? null : bigrams.mayHold(text), lines);
    }

    private static Blocks of(BitSet blocks, @Nullable BitSet groups, int lines) {
        if (groups == null) {
            return new Blocks(blocks, Trigrams.BLOCK_LINES, lines);
        }
        int size = Trigrams.BLOCK_LINES / Bigrams.GROUP_LINES;
        for (int block = blocks.nextClearBit(0);
                block * size < groups.length();
                block = blocks.nextClearBit(block + 1)) {
            groups.clear(block * size, (block + 1) * size);
        }
        return new Blocks(groups, Bigrams.GROUP_LINES, lines);
    }
}
