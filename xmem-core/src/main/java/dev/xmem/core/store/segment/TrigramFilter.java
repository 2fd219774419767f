package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks of {@value #BLOCK_LINES} lines may hold a text: for each of {@value #ROWS} hashes of three characters in a
 * row, one bit a block. A text can only be where all its trigrams are; so a rare or absent one is looked for in few blocks
 * or none. At most five per cent of the log. Immutable and thread-safe.
 */
final class TrigramFilter {
    /** How many lines share a bit. */
    static final int BLOCK_LINES = 128;

    private static final int ROWS = 1 << 16;
    private static final int LENGTH = 3;
    /** In the section: the number of blocks; of 64 rows each which have bits, and how many before have; those that have. */
    private static final int WORDS = ROWS / Long.SIZE;

    private static final int WORD_BYTES = Long.BYTES + Integer.BYTES;
    private static final int ROWS_START = Integer.BYTES + WORDS * WORD_BYTES;

    private final ByteBuffer in;
    private final int blocks;

    /** Those of a segment of so many lines. */
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
        return (some & bit) == 0 ? Rows.NONE : ROWS_START + before * rowBytes(blocks);
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

    /** Collects the trigrams of texts. One thread only. */
    static final class Builder {
        private final int blocks;
        private final int rowBytes;
        private final byte[] bits;
        /** The rows of the newest block: a hundredth of all, so that most writes stay in a processor's nearest cache. */
        private final long[] newest = new long[ROWS / Long.SIZE];

        private int block;

        /** For so many lines. */
        Builder(int lines) {
            this.blocks = blocksOf(lines);
            this.rowBytes = rowBytes(blocks);
            this.bits = new byte[ROWS * rowBytes];
        }

        /** Adds a text of a line, which stands in an array. The line is not below that before. */
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

        /** Makes {@link #mayHold} know of all that was added. */
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

        /** As {@link TrigramFilter#mayHold}, for the lines added before the last {@link #flush}. By any thread that knows of them. */
        @Nullable BitSet mayHold(String text) {
            return TrigramFilter.mayHold(text, blocks, new Rows() {
                @Override
                public int start(int row) {
                    return row * rowBytes;
                }

                @Override
                public byte get(int at) {
                    return bits[at];
                }
            });
        }

        /** Writes them as a section. */
        void write(SectionWriter out) {
            flush();
            out.section(SectionIds.TRIGRAMS);
            out.writeInt(blocks);
            long[] some = withBits();
            int before = 0;
            for (long word : some) {
                out.writeLong(word);
                out.writeInt(before);
                before += Long.bitCount(word);
            }
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

    /** The blocks that may hold a text; null if that is not known of so short a one. */
    @Nullable BitSet mayHold(String text) {
        return mayHold(text, blocks, new Rows() {
            @Override
            public int start(int row) {
                return TrigramFilter.this.start(row);
            }

            @Override
            public byte get(int at) {
                return in.get(at);
            }
        });
    }

    /** Where the bytes of the rows are. */
    private interface Rows {
        int NONE = -1;

        /** Where a row begins; {@link #NONE} if it has no bits. */
        int start(int row);

        byte get(int at);
    }

    private static @Nullable BitSet mayHold(String text, int blocks, Rows rows) {
        if (text.length() < LENGTH) {
            return null;
        }
        int rowBytes = rowBytes(blocks);
        byte[] all = new byte[rowBytes];
        Arrays.fill(all, (byte) -1);
        for (int i = LENGTH - 1; i < text.length(); i++) {
            int at = rows.start(hash(text.charAt(i - 2), text.charAt(i - 1), text.charAt(i)));
            boolean some = false;
            for (int b = 0; b < rowBytes && at != Rows.NONE; b++) {
                all[b] &= rows.get(at + b);
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
