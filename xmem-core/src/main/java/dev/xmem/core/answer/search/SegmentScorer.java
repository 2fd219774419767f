package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scores the entries of one run of lines after the other and passes the hits to the collector. Memory does not grow
 * with the run. One thread only.
 *
 * <p>Skips entries as MaxScore does (H. Turtle and J. Flood, Query evaluation: strategies and optimizations, 1995):
 * terms that could not together reach the minimum competitive score are not essential. Only essential terms bring
 * entries into the evaluation; the others are looked up in entries that can still reach the score. Before any posting
 * is decoded, the impacts of the blocks bound what each clause can add in a cell of lines; cells whose bounds together
 * are below the score are skipped (S. Ding and T. Suel, Faster top-k document retrieval using block-max indexes, 2011).
 *
 * <p>A bound is computed by the operations of a score, in their order, and no rounding makes a bound the lower of the
 * two. So no hit is lost.
 * Decision: docs/adr/0091-block-max-postings.md.
 */
final class SegmentScorer {
    private static final int CELL = CellBounds.CELL;
    /** To find a candidate in a list takes as much time as to decode that many postings in a row. */
    private static final int DECODED_FOR_A_CANDIDATE = 8;
    /** How far the minimum competitive score rises before the essential terms are chosen again. */
    private static final double RISE = 1.02;

    /** Scores are rounded to floats; a score computed from a rounded one is too high by less than this factor. */
    private static final double ROUNDING = 1 - 1e-6;

    private static final double ABSENT = CellBounds.ABSENT;

    private final Bm25Scorer scorer;
    private final TopHitsCollector collector;
    private final long[] bits;
    private final List<QueryTerm> terms = new ArrayList<>();
    private final List<QueryTerm> tools = new ArrayList<>();
    private final List<QueryTerm> essential = new ArrayList<>();
    /** The terms that are not essential, by descending bounds. */
    private final List<QueryTerm> others = new ArrayList<>();
    /** Of each clause what its terms can add that were not looked up yet. */
    private final double[] open;
    /** Of each clause and cell the most that the clause can add, by all terms, and by those that are not essential. */
    private double[] mostInCell = new double[0];

    private double[] othersInCell = new double[0];
    private float chosenFor;

    private @Nullable Run current;
    private int end;
    private int cells;
    private int window;
    private boolean anyCause;
    /** The cell that the norms are of; negative for none. */
    private int normsOf = -1;

    private final int[] ordinals = new int[CELL];
    private final byte[] weights = new byte[CELL];
    // Of each line of the cell:
    private final byte[] norms = new byte[CELL];
    private final long[] candidates = new long[CELL / Long.SIZE];
    private final boolean[] ofTool = new boolean[CELL];
    private final boolean[] withCause = new boolean[CELL];
    /** Of each candidate and clause the score; of other lines of the cell anything. */
    private final double[] clauseScores;

    /**
     * Some lines of a segment.
     *
     * @param log the number of the slice
     * @param number the number of the segment among those of all slices
     * @param run the number of the run in the segment
     * @param latest no line has a later time, in milliseconds since 1970
     */
    record Run(int log, LogSlice slice, LogSlice.Part segment, int number, int run, long latest) {}

    SegmentScorer(Bm25Scorer scorer, TopHitsCollector collector) {
        this.scorer = scorer;
        this.collector = collector;
        List<Bm25Scorer.WeightedClause> clauses = scorer.clauses();
        this.bits = new long[clauses.size()];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = clauses.get(i).bit();
            for (Bm25Scorer.WeightedTerm term : clauses.get(i).terms()) {
                terms.add(new QueryTerm(term.postings(), i, term.factor(), term.cause()));
            }
            for (List<TextIndex.@Nullable TermPostings> lists : clauses.get(i).tools()) {
                tools.add(new QueryTerm(lists, i, 1, false));
            }
        }
        this.open = new double[bits.length];
        this.clauseScores = new double[bits.length * CELL];
    }

    private Run run() {
        return Objects.requireNonNull(current);
    }

    private TextIndex index() {
        return run().segment.index();
    }

    void score(Run run) {
        current = run;
        normsOf = -1;
        int lines = index().runLines();
        int first = run.run == 0 ? 0 : run.run * lines;
        end = (int) Math.min(run.slice.cutoff(run.segment), (long) first + lines);
        CellBounds bounds = new CellBounds(scorer, index(), first, end);
        cells = bounds.cells;
        Arrays.fill(open, ABSENT);
        for (QueryTerm term : terms) {
            term.open(run);
            term.most = bounds.most(term);
            open[term.clause] = Math.max(open[term.clause], term.most);
        }
        if (isCompetitive(bound(open, 0, 1))) {
            if (mostInCell.length != cells * bits.length) {
                mostInCell = new double[cells * bits.length];
                othersInCell = new double[cells * bits.length];
            }
            bounds.bound(terms, mostInCell);
            choose(bounds);
            tools.forEach(tool -> tool.open(run));
            for (int cell = 0; cell < cells; cell++) {
                if (isCompetitive(bound(mostInCell, cell, cells))) {
                    if (collector.minCompetitiveScore() > chosenFor * RISE) {
                        choose(bounds);
                    }
                    window = first + cell * CELL;
                    score(cell);
                }
            }
        }
    }

    private boolean isCompetitive(double bound) {
        // The collector rounds scores, too.
        return (float) bound >= collector.minCompetitiveScore();
    }

    /** The most that an entry can score, given the most of each clause, which is negative where no entry has it. */
    private double bound(double[] most, int from, int step) {
        double sum = 0;
        long matched = 0;
        for (int i = 0, at = from; i < bits.length; i++, at += step) {
            if (most[at] >= 0) {
                sum += most[at];
                matched |= bits[i];
            }
        }
        return scorer.score(sum, matched);
    }

    /** Chooses the essential terms: of the others, which are the longest lists for what they can add, all fit below. */
    private void choose(CellBounds bounds) {
        chosenFor = collector.minCompetitiveScore();
        terms.sort(Comparator.comparingDouble(term -> term.most / Math.max(1, term.size)));
        essential.clear();
        others.clear();
        Arrays.fill(open, ABSENT);
        for (QueryTerm term : terms) {
            double before = open[term.clause];
            open[term.clause] = Math.max(before, term.most);
            if ((float) bound(open, 0, 1) < chosenFor) {
                others.add(term);
            } else {
                open[term.clause] = before;
                essential.add(term);
            }
        }
        others.sort(Comparator.<QueryTerm>comparingDouble(term -> term.most).reversed());
        bounds.bound(others, othersInCell);
    }

    private void score(int cell) {
        boolean any = false;
        for (QueryTerm term : essential) {
            any |= add(term, cell);
        }
        if (any) {
            for (int i = 0; i < open.length; i++) {
                open[i] = othersInCell[i * cells + cell];
            }
            int left = drop();
            for (int i = 0; i < others.size() && left > 0; i++) {
                lookUp(others.get(i), left);
                close(i, cell);
                left = drop();
            }
            if (left > 0) {
                collect();
            }
        }
        if (anyCause) {
            Arrays.fill(withCause, false);
            anyCause = false;
        }
    }

    /** Adds an essential term's postings in the cell that can reach the minimum competitive score. */
    private boolean add(QueryTerm term, int cell) {
        PostingsIterator postings = term.from(window, end);
        int n = postings == null ? 0 : postings.take(window + CELL, ordinals, weights);
        if (n == 0) {
            return false;
        }
        if (normsOf != window) {
            index().norms(window, Math.min(CELL, end - window), norms);
            normsOf = window;
        }
        double least = least(term.clause, cell);
        TextIndex index = index();
        boolean any = false;
        anyCause |= term.cause;
        for (int k = 0; k < n; k++) {
            double score = term.factor * scorer.saturation(weights[k] & 0xFF, length(index, ordinals[k]));
            int line = ordinals[k] - window;
            if (term.cause) {
                withCause[line] = true;
            }
            if (score >= least) {
                int from = line * bits.length;
                if ((candidates[line / Long.SIZE] & 1L << line) == 0) {
                    candidates[line / Long.SIZE] |= 1L << line;
                    for (int i = 0; i < bits.length; i++) {
                        clauseScores[from + i] = ABSENT;
                    }
                }
                clauseScores[from + term.clause] = Math.max(clauseScores[from + term.clause], score);
                any = true;
            }
        }
        return any;
    }

    /** What a clause has to add at least to the most of the others; negative if its other terms may reach it. */
    private double least(int clause, int cell) {
        double sum = 0;
        long matched = bits[clause];
        for (int i = 0, at = cell; i < bits.length; i++, at += cells) {
            if (i != clause && mostInCell[at] >= 0) {
                sum += mostInCell[at];
                matched |= bits[i];
            }
        }
        double least = collector.minCompetitiveScore() * ROUNDING / scorer.score(1, matched) - sum;
        return othersInCell[clause * cells + cell] >= least ? ABSENT : least;
    }

    /** Looks a term up in the candidates. The best term of a clause counts, not the sum of its terms. */
    private void lookUp(QueryTerm term, int count) {
        PostingsIterator postings = term.from(window, end);
        anyCause |= term.cause;
        if (postings == null || postings.ordinal() >= window + CELL) {
            return;
        }
        TextIndex index = index();
        if (term.size < (long) count * cells * DECODED_FOR_A_CANDIDATE) {
            int n = postings.take(window + CELL, ordinals, weights);
            for (int k = 0; k < n; k++) {
                int line = ordinals[k] - window;
                if ((candidates[line / Long.SIZE] & 1L << line) != 0) {
                    raise(term, index, line, weights[k] & 0xFF);
                }
            }
            return;
        }
        for (int word = 0; word < candidates.length; word++) {
            for (long rest = candidates[word]; rest != 0; rest &= rest - 1) {
                int line = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                postings.skipTo(window + line);
                if (postings.ordinal() == window + line) {
                    raise(term, index, line, postings.weight());
                }
            }
        }
    }

    private void raise(QueryTerm term, TextIndex index, int line, int weight) {
        int at = line * bits.length + term.clause;
        double score = term.factor * scorer.saturation(weight, length(index, window + line));
        clauseScores[at] = Math.max(clauseScores[at], score);
        withCause[line] |= term.cause;
    }

    /** Drops the candidates that cannot reach the minimum competitive score; returns how many are left. */
    private int drop() {
        int left = 0;
        for (int word = 0; word < candidates.length; word++) {
            long kept = 0;
            for (long rest = candidates[word]; rest != 0; rest &= rest - 1) {
                int line = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                kept |= isCompetitive(bound(line)) ? rest & -rest : 0;
            }
            candidates[word] = kept;
            left += Long.bitCount(kept);
        }
        return left;
    }

    /** The most that the entry at a line of the cell can score. */
    private double bound(int line) {
        double sum = 0;
        long matched = 0;
        for (int i = 0, at = line * bits.length; i < bits.length; i++, at++) {
            double score = Math.max(clauseScores[at], open[i]);
            if (score >= 0) {
                sum += score;
                matched |= bits[i];
            }
        }
        return scorer.score(sum, matched);
    }

    /** Lowers what a clause can still add to that of the terms that are looked up later. */
    private void close(int lookedUp, int cell) {
        int clause = others.get(lookedUp).clause;
        double rest = ABSENT;
        for (int i = others.size() - 1; i > lookedUp; i--) {
            rest = others.get(i).clause == clause ? others.get(i).most : rest;
        }
        open[clause] = Math.min(rest, othersInCell[clause * cells + cell]);
    }

    private int length(TextIndex index, int line) {
        int norm = norms[line - window] & 0xFF;
        return norm < Bm25Scorer.MAX_NORM ? norm : index.words(line);
    }

    private void collect() {
        for (QueryTerm tool : tools) {
            for (int word = 0; word < candidates.length; word++) {
                for (long rest = candidates[word]; rest != 0; rest &= rest - 1) {
                    int line = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                    PostingsIterator postings = tool.from(window + line, end);
                    ofTool[line] |= postings != null && postings.ordinal() == window + line;
                }
            }
        }
        for (int word = 0; word < candidates.length; word++) {
            for (long rest = candidates[word]; rest != 0; rest &= rest - 1) {
                int line = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                collect(line);
                ofTool[line] = false;
            }
            candidates[word] = 0;
        }
    }

    private void collect(int line) {
        double sum = 0;
        long matched = 0;
        for (int i = 0, at = line * bits.length; i < bits.length; i++, at++) {
            if (clauseScores[at] >= 0) {
                sum += clauseScores[at];
                matched |= bits[i];
            }
        }
        Run run = run();
        int ordinal = run.segment.base() + window + line;
        if ((scorer.isDeep() || scorer.coverage(matched) >= minCoverage(line, matched)) && run.slice.accepts(ordinal)) {
            double toolFactor = !tools.isEmpty() && !ofTool[line] ? RankingParameters.OTHER_TOOL : 1;
            collector.collect(run.log, ordinal, scorer.score(sum, matched) * toolFactor, matched);
        }
    }

    private double minCoverage(int line, long matched) {
        if (scorer.namesTool() && ofTool[line]) {
            return RankingParameters.LEAST_SHARE_OF_TOOL;
        }
        boolean several = (matched & (matched - 1)) != 0;
        return withCause[line]
                ? RankingParameters.LEAST_SHARE_OF_CAUSE
                : several ? RankingParameters.LEAST_SHARE_OF_SEVERAL : RankingParameters.LEAST_SHARE;
    }
}
