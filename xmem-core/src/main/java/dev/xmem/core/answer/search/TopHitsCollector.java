package dev.xmem.core.answer.search;

import dev.xmem.core.store.terms.LogSlice;
import dev.xmem.core.text.analysis.RankingParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Top-k collector. Counts hits above the floor, a fraction of the best score that is lower for the first hits, and
 * keeps those that can still be among the best {@code k}. After a number of hits the minimum competitive score rises to
 * the k-th best score, so that most of the remaining entries are never scored. If it ends above the floor, the total is
 * a lower bound, and at least {@code k}. Among hits with the k-th best score the newest are kept, if their times are
 * known. One thread only.
 */
final class TopHitsCollector {
    private static final int CAPACITY = 256;
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final List<LogSlice> logs;
    private final int k;
    private final int counted;
    private final double share;
    private final double shareOfMore;
    /** The scores of all hits, for the total. */
    private float[] scores = new float[CAPACITY];

    private int size;
    private final List<TopHits.ScoredHit> kept = new ArrayList<>();
    private int capacity = CAPACITY;
    /** The best {@code k} scores, a heap with the least in front. */
    private float[] best = new float[CAPACITY];

    private int bestSize;
    /** At least {@code k} hits have this score or a better one; 0 as long as there are fewer. */
    private float kthBest;
    /** The time of the k-th hit by score and time, if it is known. */
    private long kthTime = UNKNOWN;
    /** Of entries that may still come, those with the k-th best score are too old. */
    private boolean tiesLose;

    /** The best scores, the best one first. */
    private final float[] firsts = new float[RankingParameters.FIRST];
    /** The score that a hit needs: that of the third hit, but at least its share and at most that of further hits. */
    private float floor;
    /** The floor of the hits after the first. */
    private float floorOfMore;

    private float minCompetitiveScore;

    /**
     * A collector.
     *
     * @param counted how many hits are counted whatever they score; {@code k} are in any case
     * @param deep whether there is no floor
     */
    TopHitsCollector(List<LogSlice> logs, int k, int counted, boolean deep) {
        this.logs = logs;
        this.k = Math.max(1, k);
        this.counted = Math.max(counted, this.k);
        this.share = deep ? 0 : RankingParameters.FLOOR;
        this.shareOfMore = deep ? 0 : RankingParameters.FLOOR_OF_MORE;
    }

    /** Takes note that no hit from now on is later than this time. */
    void latest(long millis) {
        if (!tiesLose && size >= counted && millis < kthTime()) {
            tiesLose = true;
            raise();
        }
    }

    /** The time of the k-th hit by score and time; drops the hits after it. */
    private long kthTime() {
        if (kthTime == UNKNOWN && kept.size() >= k) {
            prune();
            int better = 0;
            long[] times = new long[kept.size()];
            int n = 0;
            for (TopHits.ScoredHit hit : kept) {
                if (hit.score() > kthBest) {
                    better++;
                } else {
                    times[n++] = time(hit);
                }
            }
            Arrays.sort(times, 0, n);
            kthTime = times[n - (k - better)];
            kept.removeIf(hit -> hit.score() == kthBest && time(hit) < kthTime);
        }
        return kthTime;
    }

    private long time(TopHits.ScoredHit hit) {
        LogSlice.Times times = logs.get(hit.log()).times();
        return times == null ? Long.MAX_VALUE : times.at(hit.ordinal());
    }

    /** Takes a hit in. */
    void collect(int log, int ordinal, double unrounded, long matched) {
        float score = (float) unrounded;
        if (score < minCompetitiveScore) {
            return;
        }
        if (score > firsts[firsts.length - 1]) {
            raiseFloor(score);
        }
        if (size == scores.length) {
            scores = Arrays.copyOf(scores, size * 2);
        }
        scores[size++] = score;
        if (score >= kthBest) {
            if (kept.size() == capacity) {
                prune();
            }
            kept.add(new TopHits.ScoredHit(log, ordinal, score, matched));
            kthTime = UNKNOWN;
            rank(score);
        }
        raise();
    }

    /** Takes the score of one of the best hits into the score that every hit needs. */
    private void raiseFloor(float better) {
        float score = better;
        for (int at = 0; at < firsts.length; at++) {
            float lower = Math.min(firsts[at], score);
            firsts[at] = Math.max(firsts[at], score);
            score = lower;
        }
        floorOfMore = (float) (firsts[0] * shareOfMore);
        floor = Math.min(Math.max(firsts[firsts.length - 1], (float) (firsts[0] * share)), floorOfMore);
        minCompetitiveScore = Math.max(minCompetitiveScore, floor);
    }

    private void raise() {
        float least = tiesLose ? Math.nextUp(kthBest) : kthBest;
        if (size >= counted && least > minCompetitiveScore) {
            minCompetitiveScore = least;
        }
    }

    /** Puts a score among the best. */
    private void rank(float score) {
        if (k == Integer.MAX_VALUE || bestSize == k && score <= kthBest) {
            return;
        }
        int at;
        if (bestSize < k) {
            if (bestSize == best.length) {
                best = Arrays.copyOf(best, 2 * bestSize);
            }
            at = bestSize++;
            for (int parent = (at - 1) / 2; at > 0 && best[parent] > score; parent = (at - 1) / 2) {
                best[at] = best[parent];
                at = parent;
            }
        } else {
            at = 0;
            for (int child = 1; child < k; child = 2 * at + 1) {
                child += child + 1 < k && best[child + 1] < best[child] ? 1 : 0;
                if (best[child] >= score) {
                    break;
                }
                best[at] = best[child];
                at = child;
            }
        }
        best[at] = score;
        if (bestSize == k) {
            tiesLose &= best[0] == kthBest;
            kthBest = best[0];
        }
    }

    /** Drops the hits that are below the k-th best, and doubles the capacity unless that freed half of it. */
    private void prune() {
        kept.removeIf(hit -> hit.score() < kthBest);
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
        boolean exact = minCompetitiveScore <= floor;
        kept.removeIf(hit -> hit.score() < Math.max(floor, kthBest));
        List<TopHits.ScoredHit> sorted = new ArrayList<>(kept);
        sorted.sort(Comparator.comparingInt(TopHits.ScoredHit::log)
                .thenComparingInt(TopHits.ScoredHit::ordinal)
                .reversed());
        // Sorts numbers, which is several times faster than a comparator: the bits of positive floats ascend with them.
        long[] keys = new long[sorted.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = (long) ~Float.floatToIntBits(sorted.get(i).score()) << 32 | i;
        }
        Arrays.sort(keys);
        List<TopHits.ScoredHit> hits = new ArrayList<>(keys.length);
        for (long key : keys) {
            hits.add(sorted.get((int) key));
        }
        float counts = exact ? floor : Math.min(kthBest, floorOfMore);
        int total = 0;
        for (int i = 0; i < size; i++) {
            total += scores[i] >= counts ? 1 : 0;
        }
        return new TopHits(hits, total, exact, words);
    }
}
