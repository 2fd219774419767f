package dev.xmem.core.words;

import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Finds and ranks the entries that a request in words means, over any number of logs. Safe for use by many threads. */
public final class WordSearch {
    /**
     * The words of a stretch of a log.
     *
     * @param words what is known of them
     * @param base the ordinal of the stretch's first line in its log
     */
    public record Stretch(WordLines words, int base) {}

    /**
     * One log as it is to be seen.
     *
     * @param stretches its words, by stretches that follow each other
     * @param cutoff entries from this ordinal on do not exist: an earlier end, so that a page can be ranked again as it
     *     was
     * @param accept which entries may be returned; all when null. The others still count in the statistics, so that a
     *     filter changes what is shown and not how it is scored
     * @param weight what its scores are multiplied by
     */
    public record Slice(
            List<Stretch> stretches, int cutoff, @Nullable IntPredicate accept, double weight) {
        /** Keeps a copy. */
        public Slice {
            stretches = List.copyOf(stretches);
        }

        /** A log of one stretch that counts in full. */
        public Slice(WordIndex index, int cutoff, @Nullable IntPredicate accept) {
            this(List.of(new Stretch(index, 0)), cutoff, accept, 1);
        }

        /** All entries added by now. */
        public static Slice of(WordIndex index) {
            return new Slice(index, index.end(), null);
        }
    }

    private WordSearch() {}

    /** All entries that answer the request well enough, best first; none when nothing does. */
    public static Ranking rank(List<Slice> slices, String request) {
        return rank(slices, request, Integer.MAX_VALUE);
    }

    /** As above, but so many ranks at least, and all of the same score as one of them; the others count only. */
    public static Ranking rank(List<Slice> slices, String request, int most) {
        List<Request.Slot> slots = Request.slots(request);
        return slots.isEmpty() ? Ranking.nothing() : new Ranker(slices, slots, most).rank();
    }
}
