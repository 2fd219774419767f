package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of {@value #BLOCK_LINES} lines may hold a text: a bit for each block and each of {@value #ROWS} hashes
 * of three consecutive characters. A text can only be in blocks that have all its trigrams, so a search for a rare or
 * absent one reads few blocks or none. Takes at most five per cent of the size of the log. Immutable and thread-safe.
 *
 * <p>The section: the number of blocks (int); for each 64 rows, which of them have any bit (long) and the number of
 * such rows before (int); then those rows.
 */
final class TrigramFilter {
    /** The number of lines that share a bit. */
    static final int BLOCK_LINES = 128;

    private static final int ROWS = 1 << 16;
    private static final int LENGTH = 3;
    private static final int NO_BITS = -1;
    private static final int WORDS = ROWS / Long.SIZE;

    private static final int WORD_BYTES = Long.BYTES + Integer.BYTES;
    private static final int ROWS_START = Integer.BYTES + WORDS * WORD_BYTES;

    private final ByteBuffer in;
    private final int blocks;

    /** The filter of a segment of {@code lines} lines. */
    TrigramFilter(SectionFile segment, int lines) throws CorruptSegmentException {
        this.in = segment.section(SectionIds.TRIGRAMS);
        this.blocks = in.getInt(0);
        if (blocks != blocksOf(lines) || in.limit() != ROWS_START + rowsWithBits() * rowBytes(blocks)) {
            throw new CorruptSegmentException("has trigrams of the wrong length");
        }
    }

    private int rowsWithBits() {
        int last = Integer.BYTES + WORD_BYTES * (WORDS - 1);
        return in.getInt(last + Long.BYTES) + Long.bitCount(in.getLong(last));
    }

    private int start(int row) {
        int at = Integer.BYTES + WORD_BYTES * (row / Long.SIZE);
        long some = in.getLong(at);
        long bit = 1L << row;
        int before = in.getInt(at + Long.BYTES) + Long.bitCount(some & bit - 1);
        return (some & bit) == 0 ? NO_BITS : ROWS_START + before * rowBytes(blocks);
    }

    private static int blocksOf(int lines) {
        return (lines + BLOCK_LINES - 1) / BLOCK_LINES;
    }

    private static int rowBytes(int blocks) {
        return (blocks + 7) / 8;
    }

    private static int hash(char a, char b, char c) {
        int h = (a * 31 + b) * 31 + c;
        h *= 0x9E3779B1;
        return h >>> 16;
    }

    /** Collects the trigrams of texts. One thread adds. */
    static final class Builder {
        private final int blocks;
        private final int rowBytes;
        private final byte[] bits;
        /** The rows of the newest block: small enough to stay in the L1 cache. */
        private final long[] newest = new long[ROWS / Long.SIZE];

        private int block;

        /** A builder for at most {@code lines} lines. */
        Builder(int lines) {
            this.blocks = blocksOf(lines);
            this.rowBytes = rowBytes(blocks);
            this.bits = new byte[ROWS * rowBytes];
        }

        /** Adds a text of a line, from an array. Lines do not descend. */
        void add(int line, char[] in, int from, int length) {
            if (line / BLOCK_LINES != block) {
                flush();
                Arrays.fill(newest, 0);
                block = line / BLOCK_LINES;
            }
            for (int i = from + LENGTH - 1; i < from + length; i++) {
                int row = hash(in[i - 2], in[i - 1], in[i]);
                newest[row >> 6] |= 1L << row;
            }
        }

        /** Makes all that was added visible to {@link #mayHold}. */
        void flush() {
            int at = block >> 3;
            byte bit = (byte) (1 << (block & 7));
            for (int i = 0; i < newest.length; i++) {
                for (long rest = newest[i]; rest != 0; rest &= rest - 1) {
                    int row = Long.SIZE * i + Long.numberOfTrailingZeros(rest);
                    bits[row * rowBytes + at] |= bit;
                }
            }
        }

        /**
         * As {@link TrigramFilter#mayHold}, of the lines before the last {@link #flush}. Any thread that sees that
         * flush may call it.
         */
        @Nullable BitSet mayHold(String text) {
            return TrigramFilter.mayHold(text, blocks, row -> row * rowBytes, at -> bits[at]);
        }

        /** Writes the section. */
        void write(SectionWriter out) {
            flush();
            out.section(SectionIds.TRIGRAMS);
            long[] some = withBits();
            writeHead(blocks, some, out);
            for (int row = 0; row < ROWS; row++) {
                if ((some[row / Long.SIZE] & 1L << row) != 0) {
                    out.writeBytes(bits, row * rowBytes, rowBytes);
                }
            }
        }

        private long[] withBits() {
            long[] some = new long[WORDS];
            for (int at = 0; at < bits.length; at++) {
                if (bits[at] != 0) {
                    int row = at / rowBytes;
                    some[row / Long.SIZE] |= 1L << row;
                }
            }
            return some;
        }
    }

    /**
     * Writes the filter of several segments as one.
     *
     * @param bases the number of the first line of each
     * @param lines how many lines they have
     */
    static void merge(List<TrigramFilter> filters, int[] bases, int lines, SectionWriter out) {
        int blocks = blocksOf(lines);
        long[] some = new long[WORDS];
        for (TrigramFilter filter : filters) {
            for (int word = 0; word < WORDS; word++) {
                some[word] |= filter.in.getLong(Integer.BYTES + WORD_BYTES * word);
            }
        }
        out.section(SectionIds.TRIGRAMS);
        writeHead(blocks, some, out);
        byte[] merged = new byte[rowBytes(blocks)];
        for (int row = 0; row < ROWS; row++) {
            if ((some[row / Long.SIZE] & 1L << row) != 0) {
                Arrays.fill(merged, (byte) 0);
                for (int i = 0; i < bases.length; i++) {
                    filters.get(i).copy(row, merged, bases[i] / BLOCK_LINES);
                }
                out.writeBytes(merged, 0, merged.length);
            }
        }
    }

    private static void writeHead(int blocks, long[] some, SectionWriter out) {
        out.writeInt(blocks);
        int before = 0;
        for (long word : some) {
            out.writeLong(word);
            out.writeInt(before);
            before += Long.bitCount(word);
        }
    }

    /** Adds the bits of a row to those of a larger segment, from a block on. */
    private void copy(int row, byte[] into, int firstBlock) {
        int start = start(row);
        int shift = firstBlock % Byte.SIZE;
        for (int b = 0; b < rowBytes(blocks) && start != NO_BITS; b++) {
            int bits = (in.get(start + b) & 0xFF) << shift;
            int at = firstBlock / Byte.SIZE + b;
            into[at] |= (byte) bits;
            if (bits > 0xFF) {
                into[at + 1] |= (byte) (bits >> Byte.SIZE);
            }
        }
    }

    /** The blocks that may hold a text; null if the text is shorter than a trigram. */
    @Nullable BitSet mayHold(String text) {
        return mayHold(text, blocks, this::start, in::get);
    }

    /**
     * The blocks that may hold a text.
     *
     * @param start where a row begins; {@link #NO_BITS} if it has no bits
     * @param get the byte at a position
     */
    private static @Nullable BitSet mayHold(String text, int blocks, IntUnaryOperator start, IntUnaryOperator get) {
        if (text.length() < LENGTH) {
            return null;
        }
        int rowBytes = rowBytes(blocks);
        byte[] all = new byte[rowBytes];
        Arrays.fill(all, (byte) -1);
        for (int i = LENGTH - 1; i < text.length(); i++) {
            int at = start.applyAsInt(hash(text.charAt(i - 2), text.charAt(i - 1), text.charAt(i)));
            boolean some = false;
            for (int b = 0; b < rowBytes && at != NO_BITS; b++) {
                all[b] = (byte) (all[b] & get.applyAsInt(at + b));
                some |= all[b] != 0;
            }
            if (!some) {
                return new BitSet();
            }
        }
        BitSet found = BitSet.valueOf(all);
        found.clear(blocks, rowBytes * 8);
        return found;
    }
}
