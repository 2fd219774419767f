package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.store.terms.PostingsIterator;
import dev.xmem.core.store.terms.TextIndex;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Scores one stretch of a slice, window by window. One thread only. */
final class SegmentScorer {
    private static final int WINDOW = 2048;
    private static final int MANY_WORDS = 255;

    /** Sums and products are rounded. */
    private static final double ROUNDING = 1.0001;

    private final Bm25Scorer ranker;
    private final TopHitsCollector found;
    private final boolean namesTool;
    private final int number;
    private final @Nullable IntPredicate accept;
    private final TextIndex lines;
    private final int base;
    private final byte[] fewWords;
    private final List<List<Walk>> walks = new ArrayList<>();
    private final List<PostingsIterator> tools = new ArrayList<>();
    private final int[] ordinals = new int[WINDOW];
    private final byte[] weights = new byte[WINDOW];
    private final double[] scores = new double[WINDOW];
    private final double[] slotBest = new double[WINDOW];
    private final long[] matched = new long[WINDOW];
    private final WindowBits some = new WindowBits();
    private final WindowBits tool = new WindowBits();
    private final WindowBits cause = new WindowBits();
    private int from;

    /** A set of lines of a window. */
    private static final class WindowBits {
        private final long[] bits = new long[WINDOW / Long.SIZE];

        void add(int i) {
            bits[i / Long.SIZE] |= 1L << i;
        }

        boolean has(int i) {
            return (bits[i / Long.SIZE] & 1L << i) != 0;
        }

        /** The next of them from this one on; the window's end if there is none. */
        int next(int i) {
            int word = i / Long.SIZE;
            long rest = i < WINDOW ? bits[word] & -1L << i : 0;
            while (rest == 0) {
                if (++word >= bits.length) {
                    return WINDOW;
                }
                rest = bits[word];
            }
            return word * Long.SIZE + Long.numberOfTrailingZeros(rest);
        }

        void clear() {
            Arrays.fill(bits, 0);
        }
    }

    private record Walk(PostingsIterator cursor, double factor, boolean cause) {}

    /** @param number in which slice of the request the stretch lies */
    SegmentScorer(Bm25Scorer ranker, int number, LogSlice.Part stretch, int cutoff) {
        this.ranker = ranker;
        this.found = ranker.found();
        this.namesTool = ranker.namesTool();
        this.number = number;
        LogSlice slice = ranker.slice(number);
        this.accept = slice.accept();
        this.lines = stretch.words();
        this.base = stretch.base();
        this.fewWords = lines.fewWords(cutoff);
        for (Bm25Scorer.Weighed w : ranker.weighed()) {
            List<Walk> slotWalks = new ArrayList<>();
            for (int i = 0; i < w.terms.size(); i++) {
                PostingsIterator cursor = cursor(w.terms.get(i), cutoff);
                if (cursor != null) {
                    boolean isCause = w.terms.get(i).charAt(0) == '#';
                    slotWalks.add(new Walk(cursor, w.factors.get(i) * slice.weight(), isCause));
                }
            }
            walks.add(slotWalks);
            for (String name : w.tools) {
                PostingsIterator cursor = cursor(name, cutoff);
                if (cursor != null) {
                    tools.add(cursor);
                }
            }
        }
    }

    private @Nullable PostingsIterator cursor(String term, int cutoff) {
        TextIndex.TermLines found = lines.find(term);
        return found == null ? null : found.cursor(cutoff);
    }

    void run() {
        int finding = ranker.finding(walks.size());
        for (from = next(finding); from != PostingsIterator.DONE; from = next(finding)) {
            for (int s = 0; s < walks.size(); s++) {
                add(s, s < finding);
            }
            mark();
            harvest();
            finding = ranker.finding(finding);
        }
    }

    private int next(int finding) {
        int least = PostingsIterator.DONE;
        for (int s = 0; s < finding; s++) {
            for (Walk walk : walks.get(s)) {
                least = Math.min(least, walk.cursor.ordinal());
            }
        }
        return least;
    }

    private int end() {
        return Math.min(from, PostingsIterator.DONE - WINDOW) + WINDOW;
    }

    /**
     * Adds what a slot says of the lines of the window; of those that others found, unless it may find some itself. It finds none
     * that, with all that the slots behind it can add, scores less than is needed: neither do those find it then.
     */
    private void add(int s, boolean finds) {
        long bit = ranker.weighed().get(s).bit;
        double hopeless = (found.needed() - ranker.mostBehind(s)) / ROUNDING;
        for (Walk walk : walks.get(s)) {
            walk.cursor.skipTo(from);
            int n = walk.cursor.take(end(), ordinals, weights);
            for (int k = 0; k < n; k++) {
                int i = ordinals[k] - from;
                if (finds || matched[i] != 0) {
                    double score = walk.factor * ranker.saturated(weights[k] & 0xFF, length(ordinals[k]));
                    if (score >= hopeless || matched[i] != 0) {
                        add(i, score, bit);
                    }
                    if (walk.cause) {
                        cause.add(i);
                    }
                }
            }
        }
    }

    private int length(int line) {
        int few = fewWords[line] & 0xFF;
        return few < MANY_WORDS ? few : lines.words(line);
    }

    private void add(int i, double score, long bit) {
        if ((matched[i] & bit) == 0) {
            some.add(i);
            matched[i] |= bit;
            scores[i] += score;
            slotBest[i] = score;
        } else if (score > slotBest[i]) {
            scores[i] += score - slotBest[i];
            slotBest[i] = score;
        }
    }

    private void mark() {
        for (PostingsIterator cursor : tools) {
            cursor.skipTo(from);
            int n = cursor.take(end(), ordinals, weights);
            for (int k = 0; k < n; k++) {
                tool.add(ordinals[k] - from);
            }
        }
    }

    private void harvest() {
        for (int i = some.next(0); i < WINDOW; i = some.next(i + 1)) {
            // What follows makes no score better.
            if (scores[i] * ROUNDING >= found.needed()) {
                finish(i);
            }
            scores[i] = 0;
            matched[i] = 0;
        }
        some.clear();
        tool.clear();
        cause.clear();
    }

    private void finish(int i) {
        double share = ranker.share(matched[i]);
        if (share >= leastShare(i)) {
            int ordinal = base + from + i;
            double fit = namesTool && !tool.has(i) ? RankingParameters.OTHER_TOOL : 1;
            if (accept == null || accept.test(ordinal)) {
                double answered = 1 - RankingParameters.SHARE + RankingParameters.SHARE * share;
                found.add(number, ordinal, scores[i] * fit * answered, matched[i]);
            }
        }
    }

    private double leastShare(int i) {
        if (tool.has(i)) {
            return RankingParameters.LEAST_SHARE_OF_TOOL;
        }
        boolean several = (matched[i] & (matched[i] - 1)) != 0;
        return cause.has(i)
                ? RankingParameters.LEAST_SHARE_OF_CAUSE
                : several ? RankingParameters.LEAST_SHARE_OF_SEVERAL : RankingParameters.LEAST_SHARE;
    }
}
