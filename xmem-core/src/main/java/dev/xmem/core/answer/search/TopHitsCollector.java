package dev.xmem.core.answer.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Top-k collector. Counts every hit above the floor, a fraction of the best score, and keeps those that can still be
 * among the best {@code k}. After {@value #COUNTED} hits the minimum competitive score rises to the k-th best score, so
 * that most of the remaining entries are never fully scored; from then on the total is a lower bound. One thread only.
 */
final class TopHitsCollector {
    /** Hits up to this number are counted whatever they score. */
    static final int COUNTED = 1_000;

    private static final int CAPACITY = 256;

    private final int k;
    private final double share;
    /** The scores of all hits, for the total. */
    private float[] scores = new float[CAPACITY];

    private int size;
    private final List<TopHits.ScoredHit> kept = new ArrayList<>();
    private int capacity = CAPACITY;
    /** At least {@code k} hits have this score or a better one. */
    private float kthBest;

    private float best;
    private float floor;
    private float minCompetitiveScore;
    private boolean exact = true;

    /**
     * A collector.
     *
     * @param share the floor, relative to the best score
     */
    TopHitsCollector(int k, double share) {
        this.k = k;
        this.share = share;
    }

    /** Takes a hit in. Within a log, hits come in ascending order of their ordinals. */
    void collect(int log, int ordinal, double unrounded, long matched) {
        float score = (float) unrounded;
        if (score < minCompetitiveScore) {
            return;
        }
        if (score > best) {
            best = score;
            floor = (float) (best * share);
            minCompetitiveScore = Math.max(minCompetitiveScore, floor);
        }
        if (size == scores.length) {
            scores = Arrays.copyOf(scores, size * 2);
        }
        scores[size++] = score;
        if (kept.size() == capacity) {
            prune();
        }
        if (score >= kthBest) {
            kept.add(new TopHits.ScoredHit(log, ordinal, score, matched));
        }
        if (size >= COUNTED && kthBest > minCompetitiveScore) {
            minCompetitiveScore = kthBest;
            exact = false;
        }
    }

    /** Drops the hits that are below the k-th best, and doubles the capacity unless that freed half of it. */
    private void prune() {
        if (k < kept.size()) {
            float[] sorted = new float[kept.size()];
            for (int i = 0; i < sorted.length; i++) {
                sorted[i] = kept.get(i).score();
            }
            Arrays.sort(sorted);
            kthBest = sorted[sorted.length - Math.max(1, k)];
            kept.removeIf(hit -> hit.score() < kthBest);
        }
        if (kept.size() > capacity / 2) {
            capacity *= 2;
        }
    }

    /** The score that an entry needs to be collected from now on. Never falls. */
    float minCompetitiveScore() {
        return minCompetitiveScore;
    }

    /**
     * What was collected, best first; among equal scores, hits of later logs first, then newer lines first.
     *
     * @param words the words of each clause of the query
     */
    TopHits topHits(List<String> words) {
        kept.removeIf(hit -> hit.score() < floor);
        // Sorts numbers, which is several times faster than a comparator: the bits of positive floats ascend with them.
        long[] keys = new long[kept.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (long) ~Float.floatToIntBits(kept.get(i).score()) << 32 | (keys.length - 1 - i);
        }
        Arrays.sort(keys);
        List<TopHits.ScoredHit> sorted = new ArrayList<>(keys.length);
        for (long key : keys) {
            sorted.add(kept.get(keys.length - 1 - (int) key));
        }
        int total = 0;
        for (int i = 0; i < size; i++) {
            total += scores[i] >= floor ? 1 : 0;
        }
        return new TopHits(sorted, total, exact, words);
    }
}
