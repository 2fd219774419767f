package dev.xmem.core.store.segment;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Collects the pairs of words of texts for a {@link WordPairFilter}. The first pairs decide which ends and beginnings
 * are common, so that memory is bounded whatever the texts are. One thread adds.
 */
final class WordPairFilterBuilder {
    private final int lines;
    /** Null once there is a table. */
    private @Nullable Sample sample;

    private volatile @Nullable Table table;

    /** A builder for at most {@code lines} lines. */
    WordPairFilterBuilder(int lines) {
        this(lines, WordEdges.SAMPLE);
    }

    /** @param enough the number of pairs that decide which ends and beginnings are common */
    WordPairFilterBuilder(int lines, int enough) {
        this.lines = lines;
        this.sample = new Sample(enough);
    }

    /** Adds a text of a line, from an array. */
    void add(int line, char[] in, int from, int length) {
        int group = line / WordPairFilter.GROUP_LINES;
        int end = from + length - WordEdges.LENGTH;
        for (int i = from + WordEdges.LENGTH; i < end; i++) {
            if (in[i] == ' ') {
                add(
                        group,
                        WordEdges.of(in[i - 3], in[i - 2], in[i - 1]),
                        WordEdges.of(in[i + 1], in[i + 2], in[i + 3]));
            }
        }
    }

    private void add(int group, long left, long right) {
        Table known = table;
        if (known != null) {
            known.add(group, left, right);
            return;
        }
        Sample first = Objects.requireNonNull(sample);
        first.add(group, left, right);
        if (first.isEnough()) {
            table = first.table(lines);
            sample = null;
        }
    }

    /** As {@link WordPairFilter#mayHold}, of the lines added before. Any thread that sees them may call it. */
    @Nullable BitSet mayHold(String text) {
        Table known = table;
        return known == null ? null : WordPairFilter.mayHold(text, known.before, known.behind, known::row);
    }

    /** Writes the section. */
    void write(SectionWriter out) {
        Table known = table;
        (known == null ? Objects.requireNonNull(sample).table(lines) : known).write(out);
    }

    /** The first pairs, which decide which ends and beginnings are common. */
    private static final class Sample {
        private final int enough;
        private int[] groups = new int[64];
        private long[] left = new long[64];
        private long[] right = new long[64];
        private int size;

        Sample(int enough) {
            this.enough = enough;
        }

        void add(int group, long before, long behind) {
            if (size == groups.length) {
                groups = Arrays.copyOf(groups, 2 * size);
                left = Arrays.copyOf(left, 2 * size);
                right = Arrays.copyOf(right, 2 * size);
            }
            groups[size] = group;
            left[size] = before;
            right[size++] = behind;
        }

        boolean isEnough() {
            return size == enough;
        }

        /** A table of these pairs. */
        Table table(int lines) {
            Table table = new Table(lines, WordEdges.commonest(left, size), WordEdges.commonest(right, size));
            for (int i = 0; i < size; i++) {
                table.add(groups[i], left[i], right[i]);
            }
            return table;
        }
    }

    /**
     * A bit for each pair of each group. Lines come group by group, so most writes hit the L1 cache; rows are made
     * last.
     */
    private static final class Table {
        private final WordEdges before;
        private final WordEdges behind;
        private final int groups;
        private final int pairs;
        /** The number of longs of a group. */
        private final int size;

        private final long[] bits;

        Table(int lines, WordEdges before, WordEdges behind) {
            this.before = before;
            this.behind = behind;
            this.groups = WordPairFilter.groupsOf(lines);
            this.pairs = before.count() * behind.count();
            this.size = (pairs + Long.SIZE - 1) / Long.SIZE;
            this.bits = new long[groups * size];
        }

        void add(int group, long left, long right) {
            int l = before.find(left);
            int r = l < 0 ? -1 : behind.find(right);
            if (r >= 0) {
                int pair = l * behind.count() + r;
                bits[group * size + pair / Long.SIZE] |= 1L << pair;
            }
        }

        BitSet row(int pair) {
            BitSet row = new BitSet(groups);
            for (int group = 0; group < groups; group++) {
                row.set(group, (bits[group * size + pair / Long.SIZE] & 1L << pair) != 0);
            }
            return row;
        }

        void write(SectionWriter out) {
            out.section(SectionIds.WORD_PAIRS);
            out.writeInt(before.count());
            out.writeInt(behind.count());
            write(before, out);
            write(behind, out);
            ByteArrays rows = rows();
            for (int pair = 0; pair < pairs; pair++) {
                out.writeInt(rows.end(pair));
            }
            out.writeBytes(rows.bytes(), 0, pairs == 0 ? 0 : rows.end(pairs - 1));
        }

        private static void write(WordEdges edges, SectionWriter out) {
            for (int number = 0; number < edges.count(); number++) {
                out.writeLong(edges.get(number));
            }
        }

        /** The rows of all pairs, made for 64 pairs at a time. */
        private ByteArrays rows() {
            ByteArrays all = new ByteArrays();
            BitSet[] some = new BitSet[Long.SIZE];
            for (int first = 0; first < pairs; first += Long.SIZE) {
                Arrays.setAll(some, pair -> new BitSet(groups));
                for (int group = 0; group < groups; group++) {
                    for (long rest = bits[group * size + first / Long.SIZE]; rest != 0; rest &= rest - 1) {
                        some[Long.numberOfTrailingZeros(rest)].set(group);
                    }
                }
                for (int pair = first; pair < Math.min(first + Long.SIZE, pairs); pair++) {
                    byte[] row = WordPairFilter.Rows.encode(some[pair - first], groups);
                    all.add(row, 0, row.length);
                }
            }
            return all;
        }
    }
}
