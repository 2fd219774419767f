package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scores the entries of one segment, clause after clause for a window of ordinals, and passes the hits to the
 * collector. Memory does not grow with the segment. One thread only.
 *
 * <p>Skips entries as MaxScore does (H. Turtle and J. Flood, Query evaluation: strategies and optimizations, 1995). A
 * clause is essential if the clauses from it on could together reach the collector's minimum competitive score. Only
 * essential clauses bring new entries into a window; the others add to the scores of these.
 */
final class SegmentScorer {
    private static final int WINDOW = 2048;

    private final Bm25Scorer scorer;
    private final TopHitsCollector collector;
    private final int log;
    private final LogSlice slice;
    private final TextIndex index;
    private final int base;
    private final int cutoff;
    /** Of the lines of the window. */
    private final byte[] norms;

    private final List<List<ClauseTerm>> clauses = new ArrayList<>();
    private final List<PostingsIterator> tools = new ArrayList<>();
    private final boolean asksForTool;
    private final int[] ordinals;
    private final byte[] weights;
    private final double[] scores;
    private final double[] clauseScores;
    private final long[] matched;
    private final BitSet candidates;
    private final BitSet ofTool;
    private final BitSet withCause;
    private int window;

    /** The arrays of one window. The segments of a query use the same ones in turn: they are most of its garbage. */
    static final class Buffers {
        private final int[] ordinals = new int[WINDOW];
        private final byte[] weights = new byte[WINDOW];
        private final byte[] norms = new byte[WINDOW];
        // Of each entry of the window: its score, its score by the clause at hand, and the clauses that it matches.
        private final double[] scores = new double[WINDOW];
        private final double[] clauseScores = new double[WINDOW];
        private final long[] matched = new long[WINDOW];
        private final BitSet candidates = new BitSet(WINDOW);
        private final BitSet ofTool = new BitSet(WINDOW);
        private final BitSet withCause = new BitSet(WINDOW);
    }

    private record ClauseTerm(PostingsIterator postings, double factor, boolean cause) {}

    /** @param log the number of the slice that the segment is a part of */
    SegmentScorer(
            Bm25Scorer scorer,
            TopHitsCollector collector,
            Buffers buffers,
            int log,
            LogSlice slice,
            LogSlice.Part segment) {
        this.ordinals = buffers.ordinals;
        this.weights = buffers.weights;
        this.norms = buffers.norms;
        this.scores = buffers.scores;
        this.clauseScores = buffers.clauseScores;
        this.matched = buffers.matched;
        this.candidates = buffers.candidates;
        this.ofTool = buffers.ofTool;
        this.withCause = buffers.withCause;
        this.scorer = scorer;
        this.collector = collector;
        this.log = log;
        this.slice = slice;
        this.index = segment.index();
        this.base = segment.base();
        this.cutoff = slice.cutoff(segment);
        boolean named = false;
        for (Bm25Scorer.WeightedClause clause : scorer.clauses()) {
            List<ClauseTerm> terms = new ArrayList<>();
            for (Map.Entry<String, Double> term : clause.factors().entrySet()) {
                PostingsIterator postings = postings(term.getKey());
                if (postings != null) {
                    double factor = term.getValue() * slice.weight();
                    terms.add(new ClauseTerm(postings, factor, term.getKey().charAt(0) == '#'));
                }
            }
            clauses.add(terms);
            for (String term : clause.toolTerms()) {
                named = true;
                PostingsIterator postings = postings(term);
                if (postings != null) {
                    tools.add(postings);
                }
            }
        }
        this.asksForTool = named;
    }

    private @Nullable PostingsIterator postings(String term) {
        TextIndex.TermPostings postings = index.find(term);
        return postings == null ? null : postings.iterator(cutoff);
    }

    /** Scores all windows. */
    void score() {
        int essential = essential(clauses.size());
        for (window = next(essential); window != PostingsIterator.DONE; window = next(essential)) {
            index.norms(window, Math.min(WINDOW, cutoff - window), norms);
            for (int i = 0; i < clauses.size(); i++) {
                addClause(i, i < essential);
            }
            markTools();
            collect();
            essential = essential(essential);
        }
    }

    /** How many clauses, the first ones, are essential. */
    private int essential(int before) {
        int essential = before;
        while (essential > 0 && scorer.maxScoreFrom(essential - 1) < collector.minCompetitiveScore()) {
            essential--;
        }
        return essential;
    }

    private int next(int essential) {
        int least = PostingsIterator.DONE;
        for (int i = 0; i < essential; i++) {
            for (ClauseTerm term : clauses.get(i)) {
                least = Math.min(least, term.postings.ordinal());
            }
        }
        return least;
    }

    private int take(PostingsIterator postings) {
        postings.skipTo(window);
        int end = Math.min(window, PostingsIterator.DONE - WINDOW) + WINDOW;
        return postings.take(end, ordinals, weights);
    }

    /**
     * Adds a clause to the scores of the window's entries. An entry that no clause before it matched is added only if
     * the clause is essential and the score, with all that the later clauses can add, is competitive; if it is not, the
     * later clauses do not add the entry either.
     */
    private void addClause(int number, boolean essential) {
        long bit = scorer.clauses().get(number).bit();
        double least = (collector.minCompetitiveScore() - scorer.maxScoreAfter(number)) / Bm25Scorer.ROUNDING;
        for (ClauseTerm term : clauses.get(number)) {
            int n = take(term.postings);
            for (int k = 0; k < n; k++) {
                int i = ordinals[k] - window;
                if (essential || matched[i] != 0) {
                    double score = term.factor * scorer.saturation(weights[k] & 0xFF, length(ordinals[k]));
                    if (score >= least || matched[i] != 0) {
                        add(i, score, bit);
                    }
                    if (term.cause) {
                        withCause.set(i);
                    }
                }
            }
        }
    }

    private int length(int line) {
        int norm = norms[line - window] & 0xFF;
        return norm < Bm25Scorer.MAX_NORM ? norm : index.words(line);
    }

    /** The best term of a clause counts, not the sum of its terms. */
    private void add(int i, double score, long bit) {
        if ((matched[i] & bit) == 0) {
            candidates.set(i);
            matched[i] |= bit;
            scores[i] += score;
            clauseScores[i] = score;
        } else if (score > clauseScores[i]) {
            scores[i] += score - clauseScores[i];
            clauseScores[i] = score;
        }
    }

    private void markTools() {
        for (PostingsIterator postings : tools) {
            int n = take(postings);
            for (int k = 0; k < n; k++) {
                ofTool.set(ordinals[k] - window);
            }
        }
    }

    private void collect() {
        for (int i = candidates.nextSetBit(0); i >= 0; i = candidates.nextSetBit(i + 1)) {
            // The factors for coverage and tool are at most 1.
            if (scores[i] * Bm25Scorer.ROUNDING >= collector.minCompetitiveScore()) {
                collect(i);
            }
            scores[i] = 0;
            matched[i] = 0;
        }
        candidates.clear();
        ofTool.clear();
        withCause.clear();
    }

    private void collect(int i) {
        double coverage = scorer.coverage(matched[i]);
        int ordinal = base + window + i;
        if ((scorer.isDeep() || coverage >= minCoverage(i)) && slice.accepts(ordinal)) {
            double toolFactor = asksForTool && !ofTool.get(i) ? RankingParameters.OTHER_TOOL : 1;
            double coverageFactor = 1 - RankingParameters.SHARE + RankingParameters.SHARE * coverage;
            collector.collect(log, ordinal, scores[i] * toolFactor * coverageFactor, matched[i]);
        }
    }

    private double minCoverage(int i) {
        if (scorer.namesTool() && ofTool.get(i)) {
            return RankingParameters.LEAST_SHARE_OF_TOOL;
        }
        boolean several = (matched[i] & (matched[i] - 1)) != 0;
        return withCause.get(i)
                ? RankingParameters.LEAST_SHARE_OF_CAUSE
                : several ? RankingParameters.LEAST_SHARE_OF_SEVERAL : RankingParameters.LEAST_SHARE;
    }
}
