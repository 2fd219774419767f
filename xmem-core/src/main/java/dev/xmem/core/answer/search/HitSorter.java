package dev.xmem.core.answer.search;

import java.util.Comparator;
import java.util.List;

/** Puts the hits of a {@link TextSearch} into their final order: by score and then by time, or by time alone. */
final class HitSorter {
    private HitSorter() {}

    /**
     * Sorts the first hits of a list that is already in descending order of scores; the order of the rest stays.
     *
     * @param maxTime the time, in epoch milliseconds, that later times count as
     * @param first how many of the first hits are to be in their final order
     */
    static void sort(
            List<TopHits.ScoredHit> hits, List<FilteredLines> logs, long maxTime, boolean byTimeAlone, long first) {
        Comparator<TopHits.ScoredHit> newestFirst = Comparator.<TopHits.ScoredHit>comparingLong(
                        hit -> Math.min(maxTime, logs.get(hit.log()).time(hit.ordinal())))
                .reversed()
                .thenComparingInt(TopHits.ScoredHit::log)
                .thenComparing(
                        Comparator.comparingInt(TopHits.ScoredHit::ordinal).reversed());
        for (int from = 0, end = 0; end < hits.size() && from < first; from = end) {
            end = from + 1;
            while (end < hits.size()
                    && (byTimeAlone || hits.get(end).score() == hits.get(from).score())) {
                end++;
            }
            hits.subList(from, end).sort(newestFirst);
        }
    }
}
