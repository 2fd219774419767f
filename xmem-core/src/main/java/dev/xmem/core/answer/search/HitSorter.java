package dev.xmem.core.answer.search;

import java.util.Comparator;
import java.util.List;

/** Puts the hits of a {@link TextSearch} into their final order: by score and then by time, or by time alone. */
final class HitSorter {
    private HitSorter() {}

    /** @param maxTime the time, in epoch milliseconds, that later times count as */
    static void sort(List<TopHits.ScoredHit> hits, List<FilteredLines> logs, long maxTime, boolean byTimeAlone) {
        Comparator<TopHits.ScoredHit> newestFirst = Comparator.<TopHits.ScoredHit>comparingLong(
                        hit -> Math.min(maxTime, logs.get(hit.log()).time(hit.ordinal())))
                .reversed()
                .thenComparingInt(TopHits.ScoredHit::log)
                .thenComparing(
                        Comparator.comparingInt(TopHits.ScoredHit::ordinal).reversed());
        hits.sort(
                byTimeAlone
                        ? newestFirst
                        : Comparator.comparingDouble(TopHits.ScoredHit::score)
                                .reversed()
                                .thenComparing(newestFirst));
    }
}
