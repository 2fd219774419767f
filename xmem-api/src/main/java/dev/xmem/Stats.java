package dev.xmem;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a store's statistics. Totals count live entries: none that were dismissed or replaced. Counters start
 * at zero when the store is opened and only grow. Immutable and thread-safe; implemented only by xmem, methods may be
 * added.
 */
public interface Stats {
    /** Returns the number of live failures. */
    long failures();

    /** Returns the number of live successes. */
    long successes();

    /** Returns the number of journal notes. */
    long notes();

    /** Returns the number of directives. */
    long directives();

    /** Returns the {@code n} tools with the most failures, in descending order, ties by name. */
    Map<String, Long> topToolsByFailures(int n);

    /** Returns the {@code n} tools with the most successes, in descending order, ties by name. */
    Map<String, Long> topToolsBySuccesses(int n);

    /** Returns the {@code n} most frequent tags of failures and successes, in descending order, ties by name. */
    Map<String, Long> topTags(int n);

    /**
     * Returns the ids of successes that {@link XMemStore#promote} accepts and that are not promoted yet, newest first.
     */
    List<String> promotable();

    /** Returns the sizes of the logs in bytes, by file name. */
    Map<String, Long> fileBytes();

    /** Returns the time of the last compaction; null if there was none. */
    @Nullable Instant lastCompaction();

    /**
     * Returns one sentence on why the store should be compacted with the default retention; null if it need not be. The
     * numbers are those of a plan, and of a log of more than 4,096 lines an estimate from a sample.
     */
    @Nullable String compactionDue();

    /** Returns the number of lines that are not valid entries. */
    long malformedLines();

    /** Returns the number of entries appended through this store. */
    long appended();

    /** Returns the number of calls of {@link XMemStore#recall}. */
    long recalled();

    /** Returns the number of recalls that returned advice. */
    long advised();

    /** Returns the number of entries that a guard dropped, because its queue was full or the write failed. */
    long guardDropped();

    /**
     * Returns the number of calls that a guard answered with {@link Advice.Status#UNAVAILABLE}. The failures among them
     * are recorded all the same, unless the store is closed.
     */
    long guardUnavailable();

    /**
     * Returns the share of line reads that the window of newest lines served, 0.0 to 1.0; 1.0 before the first read.
     */
    double tailWindowHitRate();

    /** Returns the share of the other line reads that the cache served, 0.0 to 1.0; 1.0 before the first read. */
    double cacheHitRate();

    /** Returns the latency of calls that append, until the entry is in its log and as durable as requested. */
    LatencyStats appendLatency();

    /** Returns the latency of {@link XMemStore#recall}, including the recalls of guards. */
    LatencyStats recallLatency();

    /** Returns the latency of {@link XMemStore#search}. */
    LatencyStats searchLatency();

    /** Returns the size of the index files in bytes, which are derived from the logs. */
    long indexBytes();

    /** Returns a report of all synchronization rounds since the store was opened; null without a backend. */
    @Nullable SyncReport sync();

    /** Returns how each store that is also asked answered, in their order; empty if none is. */
    default List<LayerStats> layers() {
        return List.of();
    }

    /**
     * Returns what the guards of this store told on this machine, and what became of it: also those of other processes,
     * and of earlier ones. Reads its log when it is first called; empty if that cannot be read.
     */
    RecallHistory recalls();

    /** Returns the statistics as text in the layout of the X-MEM protocol, at most 500 tokens. */
    String text();
}
