package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
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
    /** How many words of the rows are written at a time: a line of a processor's cache. */
    private static final int TILE = 8;

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

    /** The row of a trigram from the pair of its first characters, which the pair of its last ones follows. */
    private static int row(int pair, char last) {
        return (pair * 31 + last) * 0x9E3779B1 >>> 16;
    }

    private static int pair(char first, char second) {
        return first * 31 + second;
    }

    /** Collects the trigrams of texts. One thread adds. */
    static final class Builder {
        private final int blocks;
        private final int rowBytes;
        /** A bit for each row, block by block: lines do not descend, so the L1 cache has those that are written. */
        private final long[] bits;

        /** A builder for at most {@code lines} lines. */
        Builder(int lines) {
            this.blocks = blocksOf(lines);
            this.rowBytes = rowBytes(blocks);
            this.bits = new long[Math.multiplyExact(blocks, WORDS)];
        }

        /** Adds a text of a line, from an array. Lines do not descend. */
        void add(int line, char[] in, int from, int length) {
            int first = line / BLOCK_LINES * WORDS;
            long[] all = bits;
            int pair = length < LENGTH ? 0 : pair(in[from], in[from + 1]);
            for (int i = from + LENGTH - 1; i < from + length; i++) {
                int row = row(pair, in[i]);
                all[first + (row >> 6)] |= 1L << row;
                pair = pair(in[i - 1], in[i]);
            }
        }

        /** As {@link TrigramFilter#mayHold}, of the lines added before. Any thread that sees them may call it. */
        @Nullable BitSet mayHold(String text) {
            int[] rows = rows(text);
            BitSet found = new BitSet();
            for (int block = 0; block < blocks && rows.length > 0; block++) {
                found.set(block, hasAll(block, rows));
            }
            return rows.length == 0 ? null : found;
        }

        private boolean hasAll(int block, int[] rows) {
            for (int row : rows) {
                if ((bits[block * WORDS + (row >> 6)] & 1L << row) == 0) {
                    return false;
                }
            }
            return true;
        }

        /** Writes the section. */
        void write(SectionWriter out) {
            out.section(SectionIds.TRIGRAMS);
            long[] some = new long[WORDS];
            for (int i = 0; i < bits.length; i++) {
                some[i % WORDS] |= bits[i];
            }
            writeHead(blocks, some, out);
            byte[] rows = new byte[TILE * Long.SIZE * rowBytes];
            for (int first = 0; first < WORDS; first += TILE) {
                for (int at = 0; at < rowBytes; at++) {
                    for (int word = 0; word < TILE; word++) {
                        turn(first + word, at, rows, word * Long.SIZE * rowBytes + at);
                    }
                }
                for (int row = 0; row < TILE * Long.SIZE; row++) {
                    if ((some[first + row / Long.SIZE] & 1L << row) != 0) {
                        out.writeBytes(rows, row * rowBytes, rowBytes);
                    }
                }
            }
        }

        /** Makes a byte of each of 64 rows from the bits that eight blocks have of them. */
        private void turn(int word, int eight, byte[] rows, int to) {
            int first = eight * Byte.SIZE;
            int last = Math.min(first + Byte.SIZE, blocks) - 1;
            for (int shift = 0, at = to; shift < Long.SIZE; shift += Byte.SIZE) {
                long square = 0;
                for (int block = last; block >= first; block--) {
                    square = square << Byte.SIZE | bits[block * WORDS + word] >>> shift & 0xFF;
                }
                square = turned(square);
                for (int row = 0; row < Byte.SIZE; row++, at += rowBytes) {
                    rows[at] = (byte) (square >>> row * Byte.SIZE);
                }
            }
        }

        /** Turns eight rows of eight bits into columns. */
        private static long turned(long square) {
            long x = swapped(square, 7, 0x00AA00AA00AA00AAL);
            x = swapped(x, 14, 0x0000CCCC0000CCCCL);
            return swapped(x, 28, 0x00000000F0F0F0F0L);
        }

        /** Swaps some bits with those at a distance. */
        private static long swapped(long square, int distance, long some) {
            long differing = (square ^ square >>> distance) & some;
            return square ^ differing ^ differing << distance;
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

    /** The rows of the trigrams of a text; none if it is shorter than one. */
    private static int[] rows(String text) {
        int[] rows = new int[Math.max(0, text.length() - LENGTH + 1)];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = row(pair(text.charAt(i), text.charAt(i + 1)), text.charAt(i + 2));
        }
        return rows;
    }

    /** The blocks that may hold a text; null if the text is shorter than a trigram. */
    @Nullable BitSet mayHold(String text) {
        if (text.length() < LENGTH) {
            return null;
        }
        byte[] all = new byte[rowBytes(blocks)];
        Arrays.fill(all, (byte) -1);
        for (int row : rows(text)) {
            int at = start(row);
            boolean some = false;
            for (int b = 0; b < all.length && at != NO_BITS; b++) {
                all[b] = (byte) (all[b] & in.get(at + b));
                some |= all[b] != 0;
            }
            if (!some) {
                return new BitSet();
            }
        }
        BitSet found = BitSet.valueOf(all);
        found.clear(blocks, all.length * Byte.SIZE);
        return found;
    }
}
