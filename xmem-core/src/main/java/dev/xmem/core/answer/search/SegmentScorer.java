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
    /** The terms that are causes. */
    private final List<QueryTerm> causes = new ArrayList<>();

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
    /** The cell that the norms are of; negative for none. */
    private int normsOf = -1;

    private final int[] ordinals = new int[CELL];
    private final byte[] weights = new byte[CELL];
    // Of each line of the cell:
    private final byte[] norms = new byte[CELL];
    private final long[] found = new long[CELL / Long.SIZE];
    private final long[] ofTool = new long[CELL / Long.SIZE];
    /** Whether only entries of the tools that the query names can reach the score in the cell; they are in the set. */
    private boolean ofToolOnly;
    /** The candidates, as lines of the cell; they ascend. */
    private final int[] candidates = new int[CELL + 1];

    private int count;
    /** Of each candidate the most that its clauses can add, but for rounding, and the clauses that it may match. */
    private final double[] sums = new double[CELL];

    private final long[] matches = new long[CELL];
    /** No candidate has a lower bound. Sums are rounded by much less than it is below the competitive score. */
    private double leastBound;
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
                terms.add(new QueryTerm(term.postings(), i, term.factor()));
                if (term.cause()) {
                    causes.add(new QueryTerm(term.postings(), i, 1));
                }
            }
            for (List<TextIndex.@Nullable TermPostings> lists : clauses.get(i).tools()) {
                tools.add(new QueryTerm(lists, i, 1));
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
            causes.forEach(cause -> cause.open(run));
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
        // Exact: the factor is a power of two.
        ofToolOnly = !tools.isEmpty() && !isCompetitive(bound(mostInCell, cell, cells) * RankingParameters.OTHER_TOOL);
        if (ofToolOnly && !takeTools()) {
            return;
        }
        for (QueryTerm term : essential) {
            any |= add(term, cell);
        }
        if (any) {
            for (int i = 0; i < open.length; i++) {
                open[i] = othersInCell[i * cells + cell];
            }
            leastBound = collector.minCompetitiveScore() * ROUNDING;
            takeCandidates();
            for (int i = 0; i < others.size() && count > 0; i++) {
                QueryTerm term = others.get(i);
                double most = open[term.clause];
                close(i, cell);
                if (most >= 0) {
                    lookUp(term, most);
                }
            }
            for (int i = 0; i < count; i++) {
                collect(candidates[i]);
            }
        }
    }

    /** Finds the entries in the cell that are of a tool that the query names; returns false if there are none. */
    private boolean takeTools() {
        boolean any = false;
        Arrays.fill(ofTool, 0);
        for (QueryTerm tool : tools) {
            PostingsIterator postings = tool.from(window, end);
            int n = postings == null ? 0 : postings.take(window + CELL, ordinals, weights);
            for (int k = 0; k < n; k++) {
                int line = ordinals[k] - window;
                ofTool[line / Long.SIZE] |= 1L << line;
            }
            any |= n > 0;
        }
        return any;
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
        for (int k = 0; k < n; k++) {
            int line = ordinals[k] - window;
            if (ofToolOnly && (ofTool[line / Long.SIZE] & 1L << line) == 0) {
                continue;
            }
            double score = term.factor * scorer.saturation(weights[k] & 0xFF, length(index, ordinals[k]));
            if (score >= least) {
                int from = line * bits.length;
                if ((found[line / Long.SIZE] & 1L << line) == 0) {
                    found[line / Long.SIZE] |= 1L << line;
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

    /** Lists the lines that essential terms found, without those that cannot reach the minimum competitive score. */
    private void takeCandidates() {
        count = 0;
        for (int word = 0; word < found.length; word++) {
            for (long rest = found[word]; rest != 0; rest &= rest - 1) {
                keep(word * Long.SIZE + Long.numberOfTrailingZeros(rest));
            }
            found[word] = 0;
        }
    }

    /** Bounds the score of the entry at a line of the cell, which is a candidate if it can reach the minimum one. */
    private void keep(int line) {
        double sum = 0;
        long matched = 0;
        for (int i = 0, at = line * bits.length; i < bits.length; i++, at++) {
            double score = Math.max(clauseScores[at], open[i]);
            if (score >= 0) {
                sum += score;
                matched |= bits[i];
            }
        }
        keep(line, sum, matched);
    }

    private void keep(int line, double sum, long matched) {
        sums[line] = sum;
        matches[line] = matched;
        candidates[count] = line;
        count += scorer.score(sum, matched) >= leastBound ? 1 : 0;
    }

    /**
     * Looks a term up in the candidates whose clause it can raise, and keeps those that can still reach the minimum
     * competitive score. The best term of a clause counts, not the sum of its terms.
     *
     * @param most the most that this term and those that are looked up later can add
     */
    private void lookUp(QueryTerm term, double most) {
        double rest = open[term.clause];
        PostingsIterator postings = term.from(window, end);
        if (postings != null && postings.ordinal() >= window + CELL) {
            postings = null;
        }
        int before = count;
        count = 0;
        for (int i = 0; i < before; i++) {
            int line = candidates[i];
            int at = line * bits.length + term.clause;
            double score = clauseScores[at];
            if (score >= most) {
                candidates[count++] = line;
                continue;
            }
            if (postings != null) {
                postings.skipTo(window + line);
                if (postings.ordinal() == window + line) {
                    double saturation = scorer.saturation(postings.weight(), length(index(), window + line));
                    score = Math.max(score, term.factor * saturation);
                    clauseScores[at] = score;
                }
            }
            double left = Math.max(score, rest);
            double sum = sums[line] - most;
            if (left >= 0) {
                keep(line, sum + left, matches[line]);
            } else {
                keep(line, sum, matches[line] & ~bits[term.clause]);
            }
        }
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
        boolean ofAnyTool = ofToolOnly || QueryTerm.isAny(tools, window + line, end);
        boolean causeDecides =
                scorer.answersEnough(matched, ofAnyTool, true) != scorer.answersEnough(matched, ofAnyTool, false);
        boolean withCause = causeDecides && QueryTerm.isAny(causes, window + line, end);
        if (scorer.answersEnough(matched, ofAnyTool, withCause) && run.slice.accepts(ordinal)) {
            double toolFactor = !tools.isEmpty() && !ofAnyTool ? RankingParameters.OTHER_TOOL : 1;
            collector.collect(run.log, ordinal, scorer.score(sum, matched) * toolFactor, matched);
        }
    }
}
