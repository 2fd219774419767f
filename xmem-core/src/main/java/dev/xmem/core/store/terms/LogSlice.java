package dev.xmem.core.store.terms;

import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The text index of one log up to a cutoff, as a search sees it.
 *
 * @param segments the log's segments, in order
 * @param cutoff the ordinal from which on entries do not exist for the search: with an earlier cutoff, a page is ranked
 *     again as it was
 * @param accept the entries that may be returned; null for all. The others still count in the statistics, so that a
 *     filter changes what is shown and not how it is scored
 * @param weight the factor for scores
 * @param times when the entries were written; null if hits with the same score are all of interest
 */
public record LogSlice(
        List<Part> segments,
        int cutoff,
        @Nullable IntPredicate accept,
        double weight,
        @Nullable Times times) {
    /** When entries were written, in milliseconds since 1970. */
    public interface Times {
        /** The time of an entry. */
        long at(int ordinal);

        /** A time that none of the entries from one ordinal to another, exclusive, is after. */
        long latest(int from, int to);
    }

    /**
     * The text index of one segment.
     *
     * @param index the index, in which lines are numbered from 0
     * @param base the ordinal of the segment's first line in its log
     */
    public record Part(TextIndex index, int base) {}

    /** A slice without times. */
    public LogSlice(List<Part> segments, int cutoff, @Nullable IntPredicate accept, double weight) {
        this(segments, cutoff, accept, weight, null);
    }

    /** Keeps a copy of the list. */
    public LogSlice {
        segments = List.copyOf(segments);
    }

    /** The cutoff within a segment. */
    public int cutoff(Part segment) {
        return Math.max(0, Math.min(cutoff - segment.base, segment.index.end()));
    }

    /** Whether an entry may be returned. */
    public boolean accepts(int ordinal) {
        return accept == null || accept.test(ordinal);
    }
}
