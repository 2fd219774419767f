package dev.xmem.core.words;

import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Finds and ranks the entries that a request in words means, over any number of logs. Safe for use by many threads. */
public final class WordSearch {
    /**
     * One log as it is to be seen.
     *
     * @param index its words
     * @param cutoff entries from this ordinal on do not exist: an earlier {@link WordIndex#end()}, so that a page can be
     *     ranked again as it was
     * @param accept which entries may be returned; all when null. The others still count in the statistics, so that a
     *     filter changes what is shown and not how it is scored
     * @param weight what its scores are multiplied by
     */
    public record Slice(
            WordIndex index, int cutoff, @Nullable IntPredicate accept, double weight) {
        /** A log that counts in full. */
        public Slice(WordIndex index, int cutoff, @Nullable IntPredicate accept) {
            this(index, cutoff, accept, 1);
        }

        /** All entries added by now. */
        public static Slice of(WordIndex index) {
            return new Slice(index, index.end(), null);
        }
    }

    private WordSearch() {}

    /** All entries that answer the request well enough, best first; none when nothing does. */
    public static Ranking rank(List<Slice> slices, String request) {
        List<Request.Slot> slots = Request.slots(request);
        return slots.isEmpty() ? Ranking.nothing() : new Ranker(slices, slots).rank();
    }
}
