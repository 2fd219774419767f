package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which groups of {@value #GROUP_LINES} lines have which of the commonest words side by side, so that a phrase of words that
 * nearly every line has is looked for in few lines. As three characters, a space and three more say it ({@link WordEdges}): for
 * each of the commonest beginnings and each of the commonest ends all groups that have both around a space. Of others nothing is
 * known. A text can only be where all of these seven characters in a row are that it has; what it is cut out of does not
 * matter. About two per cent of the log. Immutable and thread-safe.
 */
final class WordPairFilter {
    /** How many lines share a bit. */
    static final int GROUP_LINES = 16;

    /** In the section: how many halves there are on each side, the halves, where each row ends, the rows. */
    private static final int HEADER = 2 * Integer.BYTES;

    private final ByteBuffer in;
    private final int groups;
    private final WordEdges before;
    private final WordEdges behind;
    private final int ends;
    private final int rows;

    /** Those of a segment of so many lines. */
    WordPairFilter(SectionFile segment, int lines) throws CorruptSegmentException {
        this.in = segment.section(SectionIds.WORD_PAIRS);
        this.groups = groupsOf(lines);
        int left = in.getInt(0);
        int right = in.getInt(Integer.BYTES);
        if (left < 0 || left > WordEdges.MOST || right < 0 || right > WordEdges.MOST) {
            throw new CorruptSegmentException("has pairs of " + left + " and " + right + " halves of words");
        }
        this.before = halves(HEADER, left);
        this.behind = halves(HEADER + Long.BYTES * left, right);
        this.ends = HEADER + Long.BYTES * (left + right);
        this.rows = ends + Integer.BYTES * left * right;
        if (in.limit() != rows + end(left * right - 1)) {
            throw new CorruptSegmentException("has pairs of words of the wrong length");
        }
    }

    private WordEdges halves(int from, int count) {
        long[] halves = new long[count];
        for (int i = 0; i < count; i++) {
            halves[i] = in.getLong(from + Long.BYTES * i);
        }
        return new WordEdges(halves);
    }

    static int groupsOf(int lines) {
        return (lines + GROUP_LINES - 1) / GROUP_LINES;
    }

    private int end(int pair) {
        return pair < 0 ? 0 : in.getInt(ends + Integer.BYTES * pair);
    }

    /** The groups that may hold a text; null if nothing is known of it. */
    @Nullable BitSet mayHold(String text) {
        return mayHold(text, before, behind, this::row);
    }

    private BitSet row(int pair) {
        int from = Objects.checkFromToIndex(end(pair - 1), end(pair), in.limit() - rows);
        byte[] row = new byte[end(pair) - from];
        in.get(rows + from, row);
        return Rows.decode(row, groups);
    }

    /** Where the rows of pairs are. */
    interface Rows {
        /** The groups that have a pair. */
        BitSet get(int pair);

        /** A row as bits, or, where they take less, as the distances between the groups. */
        static byte[] encode(BitSet row, int groups) {
            int most = (groups + 7) / 8;
            byte[] gaps = new byte[most];
            int at = 0;
            int next = 0;
            for (int group = row.nextSetBit(0); group >= 0; group = row.nextSetBit(next)) {
                if (at + Varints.length(group - next) >= most) {
                    return Arrays.copyOf(row.toByteArray(), most);
                }
                at = Varints.put(gaps, at, group - next);
                next = group + 1;
            }
            return Arrays.copyOf(gaps, at);
        }

        static BitSet decode(byte[] row, int groups) {
            if (row.length == (groups + 7) / 8) {
                BitSet bits = BitSet.valueOf(row);
                bits.clear(groups, 8 * row.length);
                return bits;
            }
            BitSet bits = new BitSet(groups);
            ByteBuffer gaps = ByteBuffer.wrap(row);
            int next = 0;
            for (int at = 0; at < row.length; ) {
                int gap = Varints.get(gaps, at);
                at += Varints.length(gap);
                int group = Objects.checkIndex(next + gap, groups);
                bits.set(group);
                next = group + 1;
            }
            return bits;
        }
    }

    static @Nullable BitSet mayHold(String text, WordEdges before, WordEdges behind, Rows rows) {
        BitSet all = null;
        int end = text.length() - WordEdges.LENGTH;
        for (int i = text.indexOf(' ', WordEdges.LENGTH); i >= 0 && i < end; i = text.indexOf(' ', i + 1)) {
            int left = before.find(WordEdges.of(text.charAt(i - 3), text.charAt(i - 2), text.charAt(i - 1)));
            int right = behind.find(WordEdges.of(text.charAt(i + 1), text.charAt(i + 2), text.charAt(i + 3)));
            if (left >= 0 && right >= 0) {
                BitSet row = rows.get(left * behind.count() + right);
                if (all == null) {
                    all = row;
                } else {
                    all.and(row);
                }
                if (all.isEmpty()) {
                    return all;
                }
            }
        }
        return all;
    }
}
