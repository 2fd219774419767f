package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.Impacts;
import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scores the entries of one run of lines after the other and passes the hits to the collector. Memory does not grow
 * with the run. One thread only.
 *
 * <p>A run is divided into cells of {@value #CELL} lines. Before any posting is decoded, the impacts of the blocks bound
 * what each clause can add in each cell; cells whose bounds together are below the minimum competitive score are skipped
 * (S. Ding and T. Suel, Faster top-k document retrieval using block-max indexes, 2011). Within a cell, entries are
 * skipped as MaxScore does (H. Turtle and J. Flood, Query evaluation: strategies and optimizations, 1995): a clause is
 * essential if the clauses from it on could together reach that score. Only essential clauses bring new entries into a
 * cell; the others add to the scores of these. Decision: docs/adr/0091-block-max-postings.md.
 */
final class SegmentScorer {
    private static final int CELL = 256;
    private static final double ABSENT = -1;

    private final Bm25Scorer scorer;
    private final TopHitsCollector collector;
    private final Impacts.Score saturation;
    private final List<List<Term>> clauses = new ArrayList<>();
    private final List<Term> tools = new ArrayList<>();
    /** Of each clause the most that it can add in the run. */
    private final double[] most;
    /** Of each clause and cell the most that the clause can add; negative if no line has it. */
    private double[] mostInCell = new double[0];

    private int cells;
    private @Nullable Run current;
    private int first;
    private int end;

    // Of each line of the cell: its score, the score by clauses before the one at hand, the score by that clause, and
    // the clauses that it matches.
    private final int[] ordinals = new int[CELL];
    private final byte[] weights = new byte[CELL];
    private final byte[] norms = new byte[CELL];
    private final double[] scores = new double[CELL];
    private final double[] scoresBefore = new double[CELL];
    private final double[] clauseScores = new double[CELL];
    private final long[] matched = new long[CELL];
    private final long[] candidates = new long[CELL / Long.SIZE];
    private final boolean[] ofTool = new boolean[CELL];
    private final boolean[] withCause = new boolean[CELL];
    private int window;
    private boolean anyCandidate;
    private boolean anyCause;

    /**
     * Some lines of a segment.
     *
     * @param log the number of the slice
     * @param segment the segment, and its number among those of all slices
     * @param run the number of the run in the segment
     * @param latest no line has a later time, in milliseconds since 1970
     */
    record Run(int log, LogSlice slice, LogSlice.Part segment, int number, int run, long latest) {}

    /** A term of a clause, and its postings in the run. */
    private static final class Term {
        private final List<TextIndex.@Nullable TermPostings> lists;
        private final double boost;
        private final boolean cause;
        private double factor;
        private TextIndex.@Nullable RunPostings run;
        private @Nullable Impacts impacts;
        private @Nullable PostingsIterator postings;

        Term(List<TextIndex.@Nullable TermPostings> lists, double boost, boolean cause) {
            this.lists = lists;
            this.boost = boost;
            this.cause = cause;
        }

        void open(int segment, int number, double weight) {
            TextIndex.TermPostings list = lists.get(segment);
            run = list == null ? null : list.run(number);
            impacts = run == null ? null : run.impacts();
            postings = null;
            factor = boost * weight;
        }
    }

    SegmentScorer(Bm25Scorer scorer, TopHitsCollector collector) {
        this.scorer = scorer;
        this.collector = collector;
        this.saturation = scorer::saturation;
        for (Bm25Scorer.WeightedClause clause : scorer.clauses()) {
            List<Term> terms = new ArrayList<>();
            clause.terms().forEach(term -> terms.add(new Term(term.postings(), term.factor(), term.cause())));
            clauses.add(terms);
            clause.tools().forEach(lists -> tools.add(new Term(lists, 1, false)));
        }
        this.most = new double[clauses.size()];
    }

    private Run run() {
        return Objects.requireNonNull(current);
    }

    private TextIndex index() {
        return run().segment.index();
    }

    void score(Run run) {
        current = run;
        int lines = index().runLines();
        first = run.run == 0 ? 0 : run.run * lines;
        end = (int) Math.min(run.slice.cutoff(run.segment), (long) first + lines);
        cells = (Math.max(0, end - first) + CELL - 1) / CELL;
        if (mostInCell.length < cells * clauses.size()) {
            mostInCell = new double[cells * clauses.size()];
        }
        Arrays.fill(mostInCell, 0, cells * clauses.size(), ABSENT);
        for (int i = 0; i < clauses.size(); i++) {
            most[i] = ABSENT;
            for (Term term : clauses.get(i)) {
                term.open(run.number, run.run, run.slice.weight());
                most[i] = Math.max(most[i], mostOf(term, i));
            }
        }
        if (isCompetitive(scorer.maxScore(most, 0, 1, 0))) {
            bound();
            tools.forEach(tool -> tool.open(run.number, run.run, 1));
            for (int cell = 0; cell < cells; cell++) {
                if (isCompetitive(scorer.maxScore(mostInCell, cell, cells, 0))) {
                    score(cell);
                }
            }
        }
    }

    private boolean isCompetitive(double bound) {
        return bound >= collector.minCompetitiveScore();
    }

    /** The most that a term can add in the run. Scores a short list at once. */
    private double mostOf(Term term, int clause) {
        if (term.run == null) {
            return ABSENT;
        }
        if (term.impacts != null) {
            return term.factor * term.impacts.best(saturation);
        }
        if (!term.run.isShort()) {
            return term.factor * Bm25Scorer.MAX_SATURATION;
        }
        double best = ABSENT;
        PostingsIterator next = term.run.iterator(end);
        for (; next != null && next.ordinal() != PostingsIterator.DONE; next.next()) {
            int length = index().words(next.ordinal());
            double score = term.factor * scorer.saturation(next.weight(), length);
            int cell = clause * cells + (next.ordinal() - first) / CELL;
            mostInCell[cell] = Math.max(mostInCell[cell], score);
            best = Math.max(best, score);
        }
        return best;
    }

    /** Finds what the longer lists can add in each cell. */
    private void bound() {
        for (int i = 0; i < clauses.size(); i++) {
            for (Term term : clauses.get(i)) {
                Impacts impacts = term.impacts;
                if (impacts != null) {
                    int from = first;
                    for (int block = 0; block < impacts.blocks() && from < end; block++) {
                        raise(i, from, impacts.last(block), term.factor * impacts.best(block, saturation));
                        from = impacts.last(block) + 1;
                    }
                } else if (term.run != null && !term.run.isShort()) {
                    raise(i, first, end - 1, term.factor * Bm25Scorer.MAX_SATURATION);
                }
            }
        }
    }

    private void raise(int clause, int from, int to, double score) {
        int last = clause * cells + Math.min(cells - 1, (to - first) / CELL);
        for (int cell = clause * cells + (from - first) / CELL; cell <= last; cell++) {
            mostInCell[cell] = Math.max(mostInCell[cell], score);
        }
    }

    private void score(int cell) {
        window = first + cell * CELL;
        index().norms(window, Math.min(CELL, end - window), norms);
        int essential = clauses.size();
        double after = 0;
        while (essential > 0
                && scorer.maxScore(mostInCell, cell, cells, essential - 1) * Bm25Scorer.ROUNDING
                        < collector.minCompetitiveScore()) {
            essential--;
        }
        for (int i = clauses.size() - 1; i >= 0; i--) {
            most[i] = after;
            after += Math.max(0, mostInCell[i * cells + cell]);
        }
        for (int i = 0; i < clauses.size() && (i < essential || anyCandidate); i++) {
            if (mostInCell[i * cells + cell] >= 0) {
                addClause(i, i < essential, most[i]);
            }
        }
        if (anyCandidate) {
            collect();
        }
        if (anyCause) {
            Arrays.fill(withCause, false);
            anyCause = false;
        }
    }

    private int take(Term term) {
        if (term.postings == null && term.run != null) {
            term.postings = term.run.iterator(end);
            if (term.postings == null) {
                term.run = null;
            }
        }
        if (term.postings == null) {
            return 0;
        }
        term.postings.skipTo(window);
        return term.postings.take(window + CELL, ordinals, weights);
    }

    /**
     * Adds a clause to the scores of the cell's entries. An entry that no clause before it matched is added only if the
     * clause is essential and the score, with all that the later clauses can add, is competitive; if it is not, the
     * later clauses do not add the entry either.
     *
     * @param after the most that the later clauses can add
     */
    private void addClause(int number, boolean essential, double after) {
        long bit = scorer.clauses().get(number).bit();
        double least = (collector.minCompetitiveScore() - after) / Bm25Scorer.ROUNDING;
        for (Term term : clauses.get(number)) {
            int n = take(term);
            for (int k = 0; k < n; k++) {
                int i = ordinals[k] - window;
                if (essential || matched[i] != 0) {
                    double score = term.factor * scorer.saturation(weights[k] & 0xFF, length(i));
                    if (score >= least || matched[i] != 0) {
                        add(i, score, bit);
                    }
                    withCause[i] |= term.cause;
                    anyCause |= term.cause;
                }
            }
        }
    }

    private int length(int i) {
        int norm = norms[i] & 0xFF;
        return norm < Bm25Scorer.MAX_NORM ? norm : index().words(window + i);
    }

    /** The best term of a clause counts, not the sum of its terms. */
    private void add(int i, double score, long bit) {
        if ((matched[i] & bit) == 0) {
            candidates[i / Long.SIZE] |= 1L << i;
            anyCandidate = true;
            matched[i] |= bit;
            scoresBefore[i] = scores[i];
            clauseScores[i] = score;
            scores[i] += score;
        } else if (score > clauseScores[i]) {
            clauseScores[i] = score;
            scores[i] = scoresBefore[i] + score;
        }
    }

    private void collect() {
        for (Term tool : tools) {
            int n = take(tool);
            for (int k = 0; k < n; k++) {
                ofTool[ordinals[k] - window] = true;
            }
        }
        for (int word = 0; word < candidates.length; word++) {
            for (long bits = candidates[word]; bits != 0; bits &= bits - 1) {
                int i = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
                // The factors for coverage and tool are at most 1.
                if (scores[i] * Bm25Scorer.ROUNDING >= collector.minCompetitiveScore()) {
                    collect(i);
                }
                scores[i] = 0;
                matched[i] = 0;
            }
            candidates[word] = 0;
        }
        anyCandidate = false;
        Arrays.fill(ofTool, false);
    }

    private void collect(int i) {
        double coverage = scorer.coverage(matched[i]);
        int ordinal = run().segment.base() + window + i;
        if ((scorer.isDeep() || coverage >= minCoverage(i)) && run().slice.accepts(ordinal)) {
            double toolFactor = !tools.isEmpty() && !ofTool[i] ? RankingParameters.OTHER_TOOL : 1;
            double score = scores[i] * toolFactor * Bm25Scorer.coverageFactor(coverage);
            collector.collect(run().log, ordinal, score, matched[i]);
        }
    }

    private double minCoverage(int i) {
        if (scorer.namesTool() && ofTool[i]) {
            return RankingParameters.LEAST_SHARE_OF_TOOL;
        }
        boolean several = (matched[i] & (matched[i] - 1)) != 0;
        return withCause[i]
                ? RankingParameters.LEAST_SHARE_OF_CAUSE
                : several ? RankingParameters.LEAST_SHARE_OF_SEVERAL : RankingParameters.LEAST_SHARE;
    }
}
