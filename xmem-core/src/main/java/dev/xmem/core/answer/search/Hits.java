package dev.xmem.core.answer.search;

import dev.xmem.Match;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a ranking.
 *
 * @param hits the page's entries, in order
 * @param total how many entries the whole ranking has
 * @param exact whether the total counts all of them; else it is a lower bound
 */
record Hits(List<Hit> hits, long total, boolean exact) {
    /**
     * An entry in a ranking.
     *
     * @param log the number of its log in the snapshot
     * @param ordinal its line in that log
     * @param explanation why it matches, for a person
     * @param line the line; null if it was not read
     */
    record Hit(
            int log,
            int ordinal,
            Match.MatchType matchType,
            double score,
            String explanation,
            TextMatcher.@Nullable FoundLine line) {
        /** A hit of which the line was not read. */
        Hit(int log, int ordinal, Match.MatchType matchType, double score, String explanation) {
            this(log, ordinal, matchType, score, explanation, null);
        }
    }

    /** The part of a ranking that a page shows. */
    static <T> List<T> page(List<T> ranking, int offset, int limit) {
        int end = (int) Math.min(ranking.size(), (long) offset + limit);
        return ranking.subList(Math.min(offset, end), end);
    }
}
