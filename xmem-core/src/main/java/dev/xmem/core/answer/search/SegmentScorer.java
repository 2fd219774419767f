package dev.xmem.core.answer.search;

import dev.xmem.core.base.io.ByteCache;
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

    /** Scores are rounded to floats; a score computed from a rounded one is too high by less than this factor. */
    private static final double ROUNDING = 1 - 1e-6;

    private static final double ABSENT = CellBounds.ABSENT;

    private final Bm25Scorer scorer;
    private final TopHitsCollector collector;
    private final @Nullable ByteCache cache;
    /** In the order of the scorer, and by ascending size. */
    private final QueryClause[] clauses;

    private final QueryClause[] bySize;
    private final long[] bits;
    private final List<QueryTerm> tools = new ArrayList<>();
    private final List<QueryTerm> names = new ArrayList<>();
    /** The terms of both with iterators of their own, which run ahead of the others to find candidates. */
    private final List<QueryTerm> preferred = new ArrayList<>();
    /** The terms that are causes. */
    private final List<QueryTerm> causes = new ArrayList<>();

    /** Of each clause and cell the most that the clause can add. */
    private double[] mostInCell = new double[0];
    /** Of each clause the most that it can add in the run. */
    private final double[] most;

    private final CellGroups groups;
    private final EssentialTerms essential;
    /** Bounds the terms of the run; null once they are opened. */
    private @Nullable CellBounds unopened;

    /** Whether the bounds of groups are known of all clauses. */
    private boolean grouped;

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
    private final long[] preferredLines = new long[CELL / Long.SIZE];
    /** Whether only entries of tools and names that the query gives can reach the score in the cell. */
    private boolean preferredOnly;
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

    SegmentScorer(Bm25Scorer scorer, TopHitsCollector collector, @Nullable ByteCache cache) {
        this.scorer = scorer;
        this.collector = collector;
        this.cache = cache;
        int n = scorer.clauses().size();
        this.clauses = new QueryClause[n];
        this.bits = new long[n];
        for (int i = 0; i < n; i++) {
            clauses[i] = new QueryClause(scorer.clauses().get(i), i);
            clauses[i].addTo(causes, tools, names);
            clauses[i].addTo(new ArrayList<>(), preferred, preferred);
            bits[i] = clauses[i].bit;
        }
        this.bySize = clauses.clone();
        this.most = new double[n];
        this.essential = new EssentialTerms(scorer, clauses);
        this.groups = new CellGroups(scorer, collector, clauses);
        this.clauseScores = new double[n * CELL];
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
        unopened = bounds;
        grouped = true;
        for (QueryClause clause : clauses) {
            clause.open(run, scorer, cache);
            grouped &= clause.hasGroups();
        }
        if (!grouped) {
            openTerms();
        }
        for (QueryClause clause : clauses) {
            most[clause.number] = clause.most;
        }
        if (!isCompetitive(bound(most, 0, 1))) {
            return;
        }
        collector.latest(run.latest); // raises the score: the runs to come are older
        if (mostInCell.length != cells * clauses.length) {
            mostInCell = new double[cells * clauses.length];
        }
        Arrays.fill(mostInCell, ABSENT);
        for (QueryClause clause : clauses) {
            clause.bound(run, bounds, mostInCell);
        }
        groups.open();
        for (int cell = 0; cell < cells; cell++) {
            if (isCompetitive(bound(mostInCell, cell, cells))) {
                window = first + cell * CELL;
                leastBound = collector.minCompetitiveScore() * ROUNDING;
                count = 0;
                if (grouped) {
                    scoreGroups(cell);
                } else {
                    score(cell);
                }
                for (int i = 0; i < count; i++) {
                    collect(candidates[i]);
                }
            }
        }
    }

    /** Opens the terms in the run, unless they are. */
    private void openTerms() {
        CellBounds bounds = unopened;
        if (bounds != null) {
            unopened = null;
            Run run = run();
            for (QueryClause clause : clauses) {
                clause.openTerms(run, bounds);
            }
            essential.open();
            Arrays.sort(bySize, Comparator.comparingLong(clause -> clause.size));
            tools.forEach(tool -> tool.open(run));
            names.forEach(name -> name.open(run));
            preferred.forEach(term -> term.open(run));
            causes.forEach(cause -> cause.open(run));
        }
    }

    private boolean isCompetitive(double bound) {
        // The collector rounds scores, too.
        return (float) bound >= collector.minCompetitiveScore();
    }

    /** The most that an entry can score, given the most of each clause, which is negative where no entry has it. */
    private double bound(double[] bounds, int from, int step) {
        double all = 0;
        long present = 0;
        for (int i = 0, at = from; i < bits.length; i++, at += step) {
            if (bounds[at] >= 0) {
                all += bounds[at];
                present |= bits[i];
            }
        }
        return scorer.score(all, present);
    }

    /** Finds the candidates of a cell by the bounds of its groups of lines, and scores them. */
    private void scoreGroups(int cell) {
        int n = (Math.min(CELL, end - window) + ClauseBounds.GROUP - 1) / ClauseBounds.GROUP;
        double best = groups.bound(cell, n, leastBound);
        if (best >= 0) {
            openTerms();
            // Rounding keeps the order: no score times the factor exceeds the bound times the factor.
            preferredOnly = !preferred.isEmpty() && !isCompetitive(best * RankingParameters.OTHER_TOOL);
            groups.candidates(leastBound, this::addCandidate);
            lookUp();
        }
    }

    private void addCandidate(int line, double all, long present) {
        if (window + line < end && (!preferredOnly || QueryTerm.isAny(preferred, window + line, end))) {
            for (int i = 0, at = line * bits.length; i < bits.length; i++, at++) {
                clauseScores[at] = ABSENT;
            }
            keep(line, all, present);
        }
    }

    /** Finds the candidates of a cell by the postings of essential clauses, and scores them. */
    private void score(int cell) {
        essential.choose(mostInCell, cell, cells, leastBound);
        // Rounding keeps the order: no score times the factor exceeds the bound times the factor.
        preferredOnly = !preferred.isEmpty() && !isCompetitive(essential.best() * RankingParameters.OTHER_TOOL);
        if (preferredOnly && !takePreferred()) {
            return;
        }
        boolean any = false;
        for (QueryClause clause : clauses) {
            for (QueryTerm term : clause.terms) {
                any |= term.essential && add(term, essential.leastOf(term));
            }
        }
        if (any) {
            takeCandidates();
            lookUp();
        }
    }

    /** Looks the terms that are not essential up in the candidates. */
    private void lookUp() {
        for (int i = 0; i < bySize.length && count > 0; i++) {
            readNorms();
            lookUp(bySize[i]);
        }
    }

    /** Finds the entries in the cell of tools and names that the query gives; returns false if there are none. */
    private boolean takePreferred() {
        boolean any = false;
        Arrays.fill(preferredLines, 0);
        for (QueryTerm term : preferred) {
            PostingsIterator postings = term.from(window, end);
            int n = postings == null ? 0 : postings.take(window + CELL, ordinals, weights);
            for (int k = 0; k < n; k++) {
                int line = ordinals[k] - window;
                preferredLines[line / Long.SIZE] |= 1L << line;
            }
            any |= n > 0;
        }
        return any;
    }

    /** Adds an essential term's postings in the cell that can reach the minimum competitive score. */
    private boolean add(QueryTerm term, double least) {
        PostingsIterator postings = term.from(window, end);
        int n = postings == null ? 0 : postings.take(window + CELL, ordinals, weights);
        if (n == 0) {
            return false;
        }
        readNorms();
        TextIndex index = index();
        boolean any = false;
        for (int k = 0; k < n; k++) {
            int line = ordinals[k] - window;
            if (preferredOnly && (preferredLines[line / Long.SIZE] & 1L << line) == 0) {
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

    private void readNorms() {
        if (normsOf != window) {
            index().norms(window, Math.min(CELL, end - window), norms);
            normsOf = window;
        }
    }

    /** Lists the lines that essential terms found, without those that cannot reach the minimum competitive score. */
    private void takeCandidates() {
        for (int word = 0; word < found.length; word++) {
            for (long rest = found[word]; rest != 0; rest &= rest - 1) {
                int line = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                double all = 0;
                long present = 0;
                for (int i = 0; i < bits.length; i++) {
                    double score = Math.max(clauseScores[line * bits.length + i], essential.rest(clauses[i]));
                    if (score >= 0) {
                        all += score;
                        present |= bits[i];
                    }
                }
                keep(line, all, present);
            }
            found[word] = 0;
        }
    }

    /** Keeps a line of the cell as a candidate if it can reach the minimum competitive score. */
    private void keep(int line, double all, long present) {
        sums[line] = all;
        matches[line] = present;
        candidates[count] = line;
        count += scorer.score(all, present) >= leastBound ? 1 : 0;
    }

    /**
     * Looks the terms of a clause up in the candidates, the best one first, and keeps those that can still reach the
     * minimum competitive score. The best term of a clause counts, not the sum of its terms.
     */
    private void lookUp(QueryClause clause) {
        int before = count;
        count = 0;
        for (int i = 0; i < before; i++) {
            int line = candidates[i];
            int at = line * bits.length + clause.number;
            if ((matches[line] & clause.bit) == 0) {
                candidates[count++] = line;
                continue;
            }
            double score = clauseScores[at];
            double rest = sums[line] - (grouped ? groups.most(clause, line) : Math.max(score, essential.rest(clause)));
            for (QueryTerm term : clause.terms) {
                if (term.essential) {
                    continue;
                }
                if (score >= term.most || scorer.score(rest + term.most, matches[line]) < leastBound) {
                    break;
                }
                int weight = term.weightAt(window + line, end);
                if (weight > 0) {
                    score = Math.max(score, term.factor * scorer.saturation(weight, length(index(), window + line)));
                }
            }
            clauseScores[at] = score;
            if (score >= 0) {
                keep(line, rest + score, matches[line]);
            } else {
                keep(line, rest, matches[line] & ~clause.bit);
            }
        }
    }

    private int length(TextIndex index, int line) {
        int norm = norms[line - window] & 0xFF;
        return norm < Bm25Scorer.MAX_NORM ? norm : index.words(line);
    }

    private void collect(int line) {
        double all = 0;
        long present = 0;
        for (int i = 0, at = line * bits.length; i < bits.length; i++, at++) {
            if (clauseScores[at] >= 0) {
                all += clauseScores[at];
                present |= bits[i];
            }
        }
        Run run = run();
        int ordinal = run.segment.base() + window + line;
        boolean ofTool = QueryTerm.isAny(tools, window + line, end);
        boolean causeDecides =
                scorer.answersEnough(present, ofTool, true) != scorer.answersEnough(present, ofTool, false);
        boolean withCause = causeDecides && QueryTerm.isAny(causes, window + line, end);
        if (scorer.answersEnough(present, ofTool, withCause) && run.slice.accepts(ordinal)) {
            collector.collect(run.log, ordinal, scorer.score(all, present) * factor(line, ofTool), present);
        }
    }

    /** The factor for what the query names: a program, a service or a library by its name, or a tool in any words. */
    private double factor(int line, boolean ofTool) {
        if (QueryTerm.isAny(names, window + line, end)) {
            return 1;
        }
        if (!names.isEmpty()) {
            return RankingParameters.OTHER_NAME;
        }
        return ofTool || tools.isEmpty() ? 1 : RankingParameters.OTHER_TOOL;
    }
}
