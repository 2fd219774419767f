package dev.xmem.core.answer.search;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what a clause adds to scores, in groups of {@value #GROUP} lines of a segment. Kept in a cache for clauses
 * that are asked again, because the postings of all their terms are decoded for it. The statistics of later queries may
 * differ: the bounds are raised by as much as the factors and the mean length did. Immutable and thread-safe.
 * Decision: docs/adr/0111-bounds-of-repeated-clauses.md.
 */
final class ClauseBounds {
    static final int GROUP = 16;
    private static final int CELL = CellBounds.CELL;
    private static final int LEVELS = 255;
    /** More than what rounding can make a product of a level greater or less than a score. */
    private static final double ROUNDING = 1 + 1e-9;
    /** Statistics that changed more than this need bounds of their own. */
    private static final double DRIFT = 1.1;
    /** About what an entry of the cache takes besides its bounds. */
    private static final int BYTES = 300;

    /** How often a clause is asked before its bounds are computed, which takes as long as several queries. */
    private static final int ASKED = 2;

    private final double unit;
    private final double[] factors;
    private final double averageLength;
    /** Of each run and group the most that the clause adds, in units; 0 where no line has it. */
    private final byte[][] levels;
    /** Of each run the same for the cells. */
    private final byte[][] cells;
    /** Of each run and group the lines that have the clause, a bit each. */
    private final short[][] lines;

    /** A clause in a segment, which a cache must not keep alive. */
    private record Key(Object segment, String clause) {
        /** Written by hand: the generated method is linked on first use, which takes 20 ms. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && segment == key.segment && clause.equals(key.clause);
        }

        @Override
        public int hashCode() {
            return 31 * System.identityHashCode(segment) + clause.hashCode();
        }
    }

    private ClauseBounds(Bm25Scorer scorer, Bm25Scorer.WeightedClause clause, TextIndex index, int number) {
        List<Bm25Scorer.WeightedTerm> terms = clause.terms();
        this.unit = clause.impact() / (LEVELS - 1);
        this.factors =
                terms.stream().mapToDouble(Bm25Scorer.WeightedTerm::factor).toArray();
        this.averageLength = scorer.averageLength();
        int size = Math.min(index.runLines(), index.end());
        int runs = (index.end() + size - 1) / size;
        this.levels = new byte[runs][(size + GROUP - 1) / GROUP];
        this.lines = new short[runs][(size + GROUP - 1) / GROUP];
        this.cells = new byte[runs][(size + CELL - 1) / CELL];
        int[] ordinals = new int[CELL];
        byte[] weights = new byte[CELL];
        byte[] norms = new byte[size];
        double units = 1 / unit;
        for (int run = 0; run < runs; run++) {
            int first = run * size;
            int end = Math.min(index.end(), first + size);
            byte[] inGroup = levels[run];
            short[] having = lines[run];
            index.norms(first, end - first, norms);
            for (Bm25Scorer.WeightedTerm term : terms) {
                TextIndex.TermPostings list = term.postings().get(number);
                TextIndex.RunPostings postings = list == null ? null : list.run(run);
                PostingsIterator next = postings == null ? null : postings.iterator(end);
                for (int window = first; next != null && window < end; window += CELL) {
                    int n = next.take(Math.min(end, window + CELL), ordinals, weights);
                    for (int i = 0; i < n; i++) {
                        int line = ordinals[i] - first;
                        int norm = norms[line] & 0xFF;
                        int length = norm < Bm25Scorer.MAX_NORM ? norm : index.words(ordinals[i]);
                        double score = term.factor() * scorer.saturation(weights[i] & 0xFF, length);
                        int level = Math.min(LEVELS, 1 + (int) (score * units));
                        inGroup[line / GROUP] = (byte) Math.max(inGroup[line / GROUP] & 0xFF, level);
                        having[line / GROUP] |= (short) (1 << line % GROUP);
                    }
                }
            }
            for (int group = 0; group < inGroup.length; group++) {
                int cell = group / (CELL / GROUP);
                cells[run][cell] = (byte) Math.max(cells[run][cell] & 0xFF, inGroup[group] & 0xFF);
            }
        }
    }

    /** The bounds of a clause in a segment; null if it is not asked often, or lines may be added. */
    static @Nullable ClauseBounds of(
            @Nullable ByteCache cache,
            Bm25Scorer scorer,
            Bm25Scorer.WeightedClause clause,
            LogSlice.Part segment,
            int number) {
        Object identity = segment.index().identity();
        if (cache == null || identity == null || clause.terms().isEmpty()) {
            return null;
        }
        Key key = new Key(identity, clause.key());
        Object known = cache.get(key);
        int asked = known == null ? 0 : known instanceof Integer before ? before : ASKED;
        if (asked < ASKED) {
            cache.put(key, asked + 1, BYTES);
            return null;
        }
        if (known instanceof ClauseBounds bounds && bounds.fits(scorer, clause)) {
            return bounds;
        }
        ClauseBounds bounds = new ClauseBounds(scorer, clause, segment.index(), number);
        int bytes = bounds.levels.length * (3 * bounds.levels[0].length + bounds.cells[0].length);
        cache.put(key, bounds, BYTES + bytes);
        return bounds;
    }

    private boolean fits(Bm25Scorer scorer, Bm25Scorer.WeightedClause clause) {
        double drift = drift(scorer, clause);
        return drift < DRIFT && drift > 1 / DRIFT;
    }

    /** How much more a posting can add than it could when the bounds were computed. */
    private double drift(Bm25Scorer scorer, Bm25Scorer.WeightedClause clause) {
        double drift = 0;
        for (int i = 0; i < factors.length; i++) {
            drift = Math.max(drift, clause.terms().get(i).factor() / factors[i]);
        }
        // A longer mean raises a saturation by at most its own factor.
        return drift * Math.max(1, scorer.averageLength() / averageLength);
    }

    /** What a level is worth in a query. */
    double step(Bm25Scorer scorer, Bm25Scorer.WeightedClause clause) {
        return unit * drift(scorer, clause) * ROUNDING;
    }

    /** Of each group of a run the most that the clause adds, in steps, as unsigned bytes; 0 where no line has it. */
    byte[] groups(int run) {
        return levels[run];
    }

    /** Of each group of a run the lines that have the clause, a bit each. */
    short[] lines(int run) {
        return lines[run];
    }

    /** The same as of the groups for the cells of a run. */
    byte[] cells(int run) {
        return cells[run];
    }
}
