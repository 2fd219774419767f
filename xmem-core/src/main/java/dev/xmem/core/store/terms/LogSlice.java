package dev.xmem.core.store.terms;

import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The words of one log, as a search sees them.
 *
 * @param segments the words of its segments, in the order of the log
 * @param cutoff entries from this ordinal on do not exist: an earlier end, so that a page can be ranked again as it was
 * @param accept which entries may be returned; all when null. The others still count in the statistics, so that a
 *     filter changes what is shown and not how it is scored
 * @param weight what its scores are multiplied by
 */
public record LogSlice(
        List<Part> segments, int cutoff, @Nullable IntPredicate accept, double weight) {
    /**
     * The words of one segment.
     *
     * @param words its text index
     * @param base the ordinal of the segment's first line in its log
     */
    public record Part(TextIndex words, int base) {}

    /** Keeps a copy. */
    public LogSlice {
        segments = List.copyOf(segments);
    }

    /** A log of one segment that counts in full. */
    public LogSlice(MemoryTextIndex index, int cutoff, @Nullable IntPredicate accept) {
        this(List.of(new Part(index, 0)), cutoff, accept, 1);
    }

    /** All entries added by now. */
    public static LogSlice of(MemoryTextIndex index) {
        return new LogSlice(index, index.end(), null);
    }
}
