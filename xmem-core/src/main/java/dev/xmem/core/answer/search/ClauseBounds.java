package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.TextIndex;
import java.util.List;

/**
 * Bounds what a clause adds to scores, in groups of {@value #GROUP} lines of a segment. The statistics of later queries
 * may differ: the bounds are raised by as much as the factors and the mean length did. Immutable and thread-safe.
 * Decision: docs/adr/0111-bounds-of-repeated-clauses.md.
 */
final class ClauseBounds {
    static final int SHIFT = 4;
    static final int GROUP = 1 << SHIFT;
    private static final int CELL = CellBounds.CELL;
    static final int LEVELS = 255;
    /** More than what rounding can make a product of a level greater or less than a score. */
    private static final double ROUNDING = 1 + 1e-9;
    /** Statistics that changed more than this need bounds of their own. */
    private static final double DRIFT = 1.1;

    private final double unit;
    private final double[] factors;
    private final double averageLength;
    /** Of each run and group the most that the clause adds, in units; 0 where no line has it. */
    private final byte[][] levels;
    /** Of each run the same for the cells. */
    private final byte[][] cells;
    /** Of each run the same. */
    private final byte[] best;
    /** Of each run and group the lines that have the clause, a bit each. */
    private final short[][] lines;

    /** Decodes the postings of all terms of a clause in a segment, the one with a number. */
    ClauseBounds(Bm25Scorer scorer, Bm25Scorer.WeightedClause clause, TextIndex index, int number) {
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
        this.best = new byte[runs];
        ClausePostings postings = new ClausePostings(scorer, terms, index, number, 1 / unit);
        for (int run = 0; run < runs; run++) {
            int first = run * size;
            postings.raise(first, Math.min(index.end(), first + size), levels[run], lines[run]);
            for (int group = 0; group < levels[run].length; group++) {
                int cell = group / (CELL / GROUP);
                cells[run][cell] = max(cells[run][cell], levels[run][group]);
            }
            for (byte cell : cells[run]) {
                best[run] = max(best[run], cell);
            }
        }
    }

    private static byte max(byte a, byte b) {
        return (byte) Math.max(a & 0xFF, b & 0xFF);
    }

    /** Whether the statistics are about those that the bounds were computed by. */
    boolean fits(Bm25Scorer scorer, Bm25Scorer.WeightedClause clause) {
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

    /** About how many bytes they take. */
    int bytes() {
        return levels.length * (3 * levels[0].length + cells[0].length);
    }

    /** The most that the clause adds in a run, in steps. */
    byte best(int run) {
        return best[run];
    }

    /** Of each cell of a run the most that the clause adds, in steps, as unsigned bytes; 0 where no line has it. */
    byte[] cells(int run) {
        return cells[run];
    }
}
