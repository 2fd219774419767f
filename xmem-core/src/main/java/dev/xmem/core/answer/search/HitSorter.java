package dev.xmem.core.answer.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts a ranking by words in its final order: by score and then time, or by time alone. */
final class HitSorter {
    private final List<FilteredLines> selections;
    private final TopHits ranking;
    private final long latestMillis;
    private final boolean byTimeAlone;

    HitSorter(List<FilteredLines> selections, TopHits ranking, long latestMillis, boolean byTimeAlone) {
        this.selections = selections;
        this.ranking = ranking;
        this.latestMillis = latestMillis;
        this.byTimeAlone = byTimeAlone;
    }

    /** The ranks from an offset on; only groups of equal score up to there are sorted. */
    List<Integer> ranks(int offset, int limit) {
        int end = (int) Math.min(ranking.size(), (long) offset + limit);
        List<Integer> ordered = new ArrayList<>();
        int group = 0;
        while (group < ranking.size() && ordered.size() < end) {
            int next = endOfGroup(group);
            List<Integer> equal = new ArrayList<>();
            for (int rank = group; rank < next; rank++) {
                equal.add(rank);
            }
            equal.sort(newestFirst());
            ordered.addAll(equal);
            group = next;
        }
        return ordered.subList(Math.min(offset, end), end);
    }

    private int endOfGroup(int from) {
        int end = from + 1;
        while (end < ranking.size() && (byTimeAlone || ranking.score(end) == ranking.score(from))) {
            end++;
        }
        return end;
    }

    private Comparator<Integer> newestFirst() {
        return Comparator.comparingLong(this::time)
                .reversed()
                .thenComparingInt(ranking::slice)
                .thenComparing(
                        Comparator.<Integer>comparingInt(ranking::ordinal).reversed());
    }

    private long time(int rank) {
        long time = selections.get(ranking.slice(rank)).log().index().lines().time(ranking.ordinal(rank));
        return Math.min(time, latestMillis);
    }
}
