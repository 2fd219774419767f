package dev.xmem.core.answer.search;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of a {@link TextSearch}.
 *
 * @param hits the entries above the floor, or the best of them
 * @param total how many entries are above the floor
 * @param isExact whether the total counts all of them; else it is a lower bound
 * @param words the words of each clause of the query
 */
record TopHits(List<ScoredHit> hits, int total, boolean isExact, List<String> words) {
    /**
     * An entry with its score.
     *
     * @param log which of the slices it is in
     * @param ordinal its line in that log
     * @param score how well it matches; comparable within one ranking only
     * @param matched the clauses that it matches, a bit each
     */
    record ScoredHit(int log, int ordinal, float score, long matched) {}

    /** The words of the query that a hit has, itself or a synonym of them, as they were asked. */
    List<String> matched(ScoredHit hit) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            if ((hit.matched & (1L << i)) != 0 && !found.contains(words.get(i))) {
                found.add(words.get(i));
            }
        }
        return found;
    }
}
