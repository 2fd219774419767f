package dev.xmem.core.store.segment;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which groups of {@value #GROUP_LINES} lines have which of the commonest words side by side, so that a phrase of words
 * that nearly every line has is looked for in few lines. A pair of words is seven characters: the last three of a word,
 * a space, and the first three of the next. For each of the commonest ends and each of the commonest beginnings
 * ({@link WordEdges}) there is a row with the groups that have the pair; of other pairs nothing is known. A text can
 * only be in groups that have all its known pairs. Takes about two per cent of the size of the log. Immutable and
 * thread-safe.
 *
 * <p>The section: how many ends and beginnings there are (int each); these (long each); where each row ends (int each);
 * the rows. Decision: docs/adr/0008-word-pairs.md.
 */
final class WordPairFilter {
    /** The number of lines that share a bit. */
    static final int GROUP_LINES = 16;

    private static final int HEADER = 2 * Integer.BYTES;

    private final ByteBuffer in;
    private final int groups;
    private final WordEdges before;
    private final WordEdges behind;
    private final int ends;
    private final int rows;

    /** The filter of a segment of {@code lines} lines. */
    WordPairFilter(SectionFile segment, int lines) throws CorruptSegmentException {
        this.in = segment.section(SectionIds.WORD_PAIRS);
        this.groups = groupsOf(lines);
        int left = in.getInt(0);
        int right = in.getInt(Integer.BYTES);
        if (left < 0 || left > WordEdges.MOST || right < 0 || right > WordEdges.MOST) {
            throw new CorruptSegmentException("has pairs of " + left + " and " + right + " edges of words");
        }
        this.before = edges(HEADER, left);
        this.behind = edges(HEADER + Long.BYTES * left, right);
        this.ends = HEADER + Long.BYTES * (left + right);
        this.rows = ends + Integer.BYTES * left * right;
        if (in.limit() != rows + end(left * right - 1)) {
            throw new CorruptSegmentException("has pairs of words of the wrong length");
        }
    }

    private WordEdges edges(int from, int count) {
        long[] edges = new long[count];
        for (int i = 0; i < count; i++) {
            edges[i] = in.getLong(from + Long.BYTES * i);
        }
        return new WordEdges(edges);
    }

    static int groupsOf(int lines) {
        return (lines + GROUP_LINES - 1) / GROUP_LINES;
    }

    private int end(int pair) {
        return pair < 0 ? 0 : in.getInt(ends + Integer.BYTES * pair);
    }

    /** The groups that may hold a text; null if nothing is known of its pairs. */
    @Nullable BitSet mayHold(String text) {
        return mayHold(text, before, behind, this::row);
    }

    private BitSet row(int pair) {
        int from = Objects.checkFromToIndex(end(pair - 1), end(pair), in.limit() - rows);
        byte[] row = new byte[end(pair) - from];
        in.get(rows + from, row);
        return Rows.decode(row, groups);
    }

    /** The rows of the pairs. */
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
