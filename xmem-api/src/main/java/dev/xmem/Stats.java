package dev.xmem;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a store. Immutable, thread-safe; implemented only by xmem, methods may be added. Totals count live
 * entries; the other figures count since the store was opened and only grow.
 */
public interface Stats {
    /** Live failures. */
    long failures();

    /** Live successes. */
    long successes();

    /** Journal notes. */
    long notes();

    /** Directives. */
    long directives();

    /** The tools with the most failures, most first, ties by name. */
    Map<String, Long> topToolsByFailures(int n);

    /** The tools with the most successes, most first, ties by name. */
    Map<String, Long> topToolsBySuccesses(int n);

    /** The tags on the most failures and successes, most first, ties by name. */
    Map<String, Long> topTags(int n);

    /** The ids of successes that {@link XMemStore#promote} takes and that are no directive yet, the newest first. */
    List<String> promotable();

    /** The logs and their sizes in bytes, by file name. */
    Map<String, Long> fileBytes();

    /** When the store was last compacted; null for never. */
    @Nullable Instant lastCompaction();

    /** Why the store should be compacted, as a sentence; null where it need not be. */
    @Nullable String compactionDue();

    /** Lines that could not be read as an entry. */
    long malformedLines();

    /** Entries appended through this store. */
    long appended();

    /** Calls of {@link XMemStore#recall}. */
    long recalled();

    /** Recalls that had advice. */
    long advised();

    /** Records that a guard had to drop. */
    long guardDropped();

    /** The share of line reads that the tail window answered, 0.0 to 1.0; 1.0 before the first. */
    double tailWindowHitRate();

    /** The share of the other line reads that the cache answered, 0.0 to 1.0; 1.0 before the first. */
    double cacheHitRate();

    /** How long calls took that appended: from the call until what they recorded was in its log, as durable as asked for. */
    LatencyStats appendLatency();

    /** How long calls of {@link XMemStore#recall} took; a guard's are among them. */
    LatencyStats recallLatency();

    /** How long calls of {@link XMemStore#search} took. */
    LatencyStats searchLatency();

    /** How many bytes the files take that make opening and searching fast; they are derived from the logs. */
    long indexBytes();

    /** The sync since the store was opened, all rounds together; null if it was opened without a backend. */
    @Nullable SyncReport sync();

    /** The figures as text in the seed's layout, at most 500 tokens. */
    String text();
}
