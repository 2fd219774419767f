package dev.xmem.core.answer.search;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.store.terms.TextIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A clause of a query in the run of lines that is scored. One thread only. */
final class QueryClause {
    private final Bm25Scorer.WeightedClause clause;
    final int number;
    final long bit;
    /** The terms, by descending bounds. */
    final List<QueryTerm> terms = new ArrayList<>();

    private int segment = -1;
    private @Nullable ClauseBounds bounds;
    private double step;
    /** The bounds of the groups in the run, in steps, and their lines that have the clause; empty if not known. */
    private byte[] groups = {};

    private short[] lines = {};
    private double stepInRun;
    /** The most that it can add in the run. */
    double most;
    /** About how many postings it has in the run. */
    long size;

    QueryClause(Bm25Scorer.WeightedClause clause, int number) {
        this.clause = clause;
        this.number = number;
        this.bit = clause.bit();
        for (Bm25Scorer.WeightedTerm term : clause.terms()) {
            terms.add(new QueryTerm(term.postings(), number, term.factor()));
        }
    }

    /** The causes of the clause, its tools and its names, as terms of their own. */
    void addTo(List<QueryTerm> causes, List<QueryTerm> tools, List<QueryTerm> names) {
        for (Bm25Scorer.WeightedTerm term : clause.terms()) {
            if (term.cause()) {
                causes.add(new QueryTerm(term.postings(), number, 1));
            }
        }
        for (List<TextIndex.@Nullable TermPostings> lists : clause.tools()) {
            tools.add(new QueryTerm(lists, number, 1));
        }
        for (List<TextIndex.@Nullable TermPostings> lists : clause.names()) {
            names.add(new QueryTerm(lists, number, 1));
        }
    }

    /** Finds the most that it can add in a run, by its bounds in the segment if they are known. */
    void open(SegmentScorer.Run run, Bm25Scorer scorer, @Nullable ByteCache cache) {
        if (segment != run.number()) {
            segment = run.number();
            bounds = BoundsCache.of(cache, scorer, clause, run.segment(), segment);
            step = bounds == null ? 0 : bounds.step(scorer, clause);
        }
        groups = bounds == null ? new byte[0] : bounds.groups(run.run());
        lines = bounds == null ? new short[0] : bounds.lines(run.run());
        stepInRun = step * run.slice().weight();
        most = bounds == null ? CellBounds.ABSENT : score(bounds.best(run.run()));
    }

    /** Opens the terms in the run, before any posting is looked up. */
    void openTerms(SegmentScorer.Run run, CellBounds cells) {
        size = 0;
        for (QueryTerm term : terms) {
            term.open(run);
            term.most = cells.most(term);
            most = bounds == null ? Math.max(most, term.most) : most;
            size += term.size;
        }
        terms.sort(Comparator.<QueryTerm>comparingDouble(term -> term.most).reversed());
    }

    /** Whether the bounds of the groups are known. */
    boolean hasGroups() {
        return bounds != null;
    }

    /** Finds the most that the clause can add in each cell of the run. */
    void bound(SegmentScorer.Run run, CellBounds cells, double[] inCells) {
        if (bounds == null) {
            cells.bound(terms, inCells);
            return;
        }
        byte[] levels = bounds.cells(run.run());
        for (int cell = 0; cell < cells.cells; cell++) {
            inCells[number * cells.cells + cell] = score(levels[cell]);
        }
    }

    /** Adds the bounds of some groups of the run to others, in units, rounded up. */
    void addUnits(int from, int count, double unitsOfOne, int[] to) {
        byte[] levels = groups;
        int step = 1 + (int) (stepInRun * unitsOfOne);
        for (int i = 0; i < count; i++) {
            to[i] += (levels[from + i] & 0xFF) * step;
        }
    }

    /** The lines of a group of the run that have the clause, a bit each. */
    int lines(int group) {
        return lines[group] & 0xFFFF;
    }

    /** The most that the clause can add in a group of the run. */
    double mostInGroup(int group) {
        return score(groups[group]);
    }

    private double score(byte level) {
        return level == 0 ? CellBounds.ABSENT : (level & 0xFF) * stepInRun;
    }
}
