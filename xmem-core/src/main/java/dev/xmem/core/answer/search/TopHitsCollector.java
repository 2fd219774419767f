package dev.xmem.core.answer.search;

import dev.xmem.core.text.analysis.RankingParameters;
import java.util.Arrays;
import java.util.List;

/**
 * The entries that passed so far. Counts those above the floor, a part of the best score; of those that can be among the best
 * ones wanted it knows the places, too. When it has counted many, it asks for no others than these any more, so that most need
 * not be scored to the end. One thread only.
 */
final class TopHitsCollector {
    /** So many are counted, whatever they score. */
    static final int COUNTED = 1_000;

    private static final int ROOM = 256;

    private final int wanted;
    /** Of all, in the order in which they came. */
    private float[] scores = new float[ROOM];

    private int size;
    private int[] slices = new int[ROOM];
    private int[] ordinals = new int[ROOM];
    private float[] keptScores = new float[ROOM];
    private long[] matched = new long[ROOM];
    private int kept;
    /** So many as are wanted have this score at least. */
    private float least;

    private float best;
    private float floor;
    private float needed;
    private boolean exact = true;

    /** @param wanted how many of the best are asked for */
    TopHitsCollector(int wanted) {
        this.wanted = wanted;
    }

    void add(int slice, int ordinal, double full, long match) {
        float score = (float) full;
        if (score < needed) {
            return;
        }
        if (score > best) {
            best = score;
            floor = (float) (best * RankingParameters.FLOOR);
            needed = Math.max(needed, floor);
        }
        if (size == scores.length) {
            scores = Arrays.copyOf(scores, size * 2);
        }
        scores[size++] = score;
        if (kept == slices.length) {
            makeRoom();
        }
        if (score >= least) {
            keep(slice, ordinal, score, match);
        }
        if (size >= COUNTED && least > needed) {
            needed = least;
            exact = false;
        }
    }

    private void keep(int slice, int ordinal, float score, long match) {
        slices[kept] = slice;
        ordinals[kept] = ordinal;
        keptScores[kept] = score;
        matched[kept++] = match;
    }

    /** Drops what is not among the best any more; gets larger where that is not half of it. */
    private void makeRoom() {
        if (wanted < kept) {
            float[] sorted = Arrays.copyOf(keptScores, kept);
            Arrays.sort(sorted);
            least = sorted[kept - Math.max(1, wanted)];
            int to = 0;
            for (int i = 0; i < kept; i++) {
                if (keptScores[i] >= least) {
                    slices[to] = slices[i];
                    ordinals[to] = ordinals[i];
                    keptScores[to] = keptScores[i];
                    matched[to++] = matched[i];
                }
            }
            kept = to;
        }
        if (kept > slices.length / 2) {
            slices = Arrays.copyOf(slices, slices.length * 2);
            ordinals = Arrays.copyOf(ordinals, ordinals.length * 2);
            keptScores = Arrays.copyOf(keptScores, keptScores.length * 2);
            matched = Arrays.copyOf(matched, matched.length * 2);
        }
    }

    /** What an entry has to score to be counted from now on. */
    float needed() {
        return needed;
    }

    /** As many ranks as are wanted at least, and all of the same score as one of them. */
    TopHits ranking(List<String> words) {
        long[] order = order();
        int[] orderedSlices = new int[order.length];
        int[] orderedOrdinals = new int[order.length];
        float[] orderedScores = new float[order.length];
        long[] orderedMatched = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            int from = kept - 1 - (int) order[i];
            orderedSlices[i] = slices[from];
            orderedOrdinals[i] = ordinals[from];
            orderedScores[i] = keptScores[from];
            orderedMatched[i] = matched[from];
        }
        return new TopHits(total(), exact, orderedSlices, orderedOrdinals, orderedScores, orderedMatched, words);
    }

    private int total() {
        int total = 0;
        for (int i = 0; i < size; i++) {
            total += scores[i] >= floor ? 1 : 0;
        }
        return total;
    }

    /** Score descending in the high half, then place: later slices' entries come after, newest first within a slice. */
    private long[] order() {
        long[] keys = new long[kept];
        int shown = 0;
        for (int i = 0; i < kept; i++) {
            if (keptScores[i] >= floor) {
                keys[shown++] = ((long) ~Float.floatToIntBits(keptScores[i]) << 32) | (kept - 1 - i);
            }
        }
        long[] order = Arrays.copyOf(keys, shown);
        Arrays.sort(order);
        return order;
    }
}
