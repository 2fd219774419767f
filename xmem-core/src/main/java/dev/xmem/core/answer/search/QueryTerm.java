package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.Impacts;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A term of a clause, and its postings in the run of lines that is scored. One thread only. */
final class QueryTerm {
    private final List<TextIndex.@Nullable TermPostings> lists;
    final int clause;
    private final double boost;
    double factor;
    TextIndex.@Nullable RunPostings run;

    @Nullable Impacts impacts;

    private @Nullable PostingsIterator postings;
    /** The most that it can add. */
    double most;
    /** About how many postings it has. */
    int size;
    /** Whether its postings bring lines into the evaluation, and it is not looked up in lines that others brought. */
    boolean essential;

    QueryTerm(List<TextIndex.@Nullable TermPostings> lists, int clause, double boost) {
        this.lists = lists;
        this.clause = clause;
        this.boost = boost;
    }

    void open(SegmentScorer.Run at) {
        TextIndex.TermPostings list = lists.get(at.number());
        run = list == null ? null : list.run(at.run());
        impacts = run == null ? null : run.impacts();
        postings = null;
        essential = false;
        factor = boost * at.slice().weight();
        most = CellBounds.ABSENT;
        size = run == null ? 0 : run.size();
    }

    /** The first posting that is not below a line; null if there is none. */
    @Nullable PostingsIterator from(int line, int end) {
        if (postings == null && run != null) {
            postings = run.iterator(end);
            run = postings == null ? null : run;
        }
        if (postings != null) {
            postings.skipTo(line);
        }
        return postings;
    }

    /** The weight of the posting of a line; 0 if there is none. The lines of successive calls ascend. */
    int weightAt(int line, int end) {
        PostingsIterator next = from(line, end);
        return next != null && next.ordinal() == line ? next.weight() : 0;
    }

    /** Whether an entry has any of some terms. The lines of successive calls ascend. */
    static boolean isAny(List<QueryTerm> terms, int line, int end) {
        for (QueryTerm term : terms) {
            if (term.weightAt(line, end) > 0) {
                return true;
            }
        }
        return false;
    }
}
