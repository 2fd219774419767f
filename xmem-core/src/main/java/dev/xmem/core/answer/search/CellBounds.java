package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.Impacts;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.util.List;

/**
 * Bounds what the clauses of a query can add to scores in a run of lines, and in each of its cells of {@value #CELL}
 * lines, before postings are decoded. One thread only.
 */
final class CellBounds {
    static final int CELL = 1024;
    /** The bound of a clause that no line has; it is negative. */
    static final double ABSENT = -1;
    /** To score a list of fewer postings takes less time than to bound its scores. */
    private static final int SHORT = 512;

    private final Bm25Scorer scorer;
    private final Impacts.Score saturation;
    private final TextIndex index;
    /** The first line of the run, and the line behind the last. */
    final int first;

    final int end;
    /** The number of cells. */
    final int cells;

    CellBounds(Bm25Scorer scorer, TextIndex index, int first, int end) {
        this.scorer = scorer;
        this.saturation = scorer::saturation;
        this.index = index;
        this.first = first;
        this.end = end;
        this.cells = (Math.max(0, end - first) + CELL - 1) / CELL;
    }

    /** The most that a term can add in the run. */
    double most(QueryTerm term) {
        if (term.run == null || term.impacts != null) {
            return term.impacts == null ? ABSENT : term.factor * term.impacts.best(saturation);
        }
        return term.size <= SHORT ? each(term, new double[0]) : term.factor * Bm25Scorer.MAX_SATURATION;
    }

    /** Scores all postings of a term; returns the best score, and raises the bounds of cells unless there are none. */
    private double each(QueryTerm term, double[] inCells) {
        double best = ABSENT;
        PostingsIterator next = term.run == null ? null : term.run.iterator(end);
        for (; next != null && next.ordinal() != PostingsIterator.DONE; next.next()) {
            int line = next.ordinal();
            double score = term.factor * scorer.saturation(next.weight(), index.words(line));
            best = Math.max(best, score);
            if (inCells.length > 0) {
                raise(inCells, term.clause, line, line, score);
            }
        }
        return best;
    }

    /**
     * Finds what the terms of a clause can add in each cell: for each clause, one after the other, a bound for each.
     */
    void bound(List<QueryTerm> terms, double[] inCells) {
        for (QueryTerm term : terms) {
            Impacts impacts = term.impacts;
            int from = first;
            for (int block = 0; impacts != null && block < impacts.blocks() && from < end; block++) {
                raise(inCells, term.clause, from, impacts.last(block), term.factor * impacts.best(block, saturation));
                from = impacts.last(block) + 1;
            }
            if (term.run != null && impacts == null && term.size <= SHORT) {
                each(term, inCells);
            } else if (term.run != null && impacts == null) {
                raise(inCells, term.clause, first, end - 1, term.most);
            }
        }
    }

    private void raise(double[] inCells, int clause, int from, int to, double score) {
        int last = clause * cells + Math.min(cells - 1, (to - first) / CELL);
        for (int cell = clause * cells + (from - first) / CELL; cell <= last; cell++) {
            inCells[cell] = Math.max(inCells[cell], score);
        }
    }
}
