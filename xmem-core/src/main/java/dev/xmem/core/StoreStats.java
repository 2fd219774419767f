package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.Stats;
import dev.xmem.SyncReport;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Snapshot;
import dev.xmem.core.index.Tally;
import dev.xmem.core.log.Reads;
import dev.xmem.core.render.StatsText;
import dev.xmem.spi.TokenEstimator;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of one moment. */
record StoreStats(
        long failures,
        long successes,
        long notes,
        long directives,
        Map<String, Long> toolFailures,
        Map<String, Long> toolSuccesses,
        Map<String, Long> tagCounts,
        List<String> promotable,
        Map<String, Long> fileBytes,
        @Nullable Instant lastCompaction,
        @Nullable String compactionDue,
        long malformedLines,
        long appended,
        long recalled,
        long advised,
        long guardDropped,
        double tailWindowHitRate,
        double cacheHitRate,
        @Nullable SyncReport sync,
        TokenEstimator tokens)
        implements Stats {

    static StoreStats of(
            Snapshot snapshot,
            long directives,
            List<String> promotable,
            @Nullable Instant lastCompaction,
            long nowMillis,
            Counters counters,
            Reads reads,
            @Nullable SyncReport sync,
            TokenEstimator tokens) {
        return new StoreStats(
                snapshot.total(Entry.Kind.FAILURE),
                snapshot.total(Entry.Kind.SUCCESS),
                snapshot.total(Entry.Kind.NOTE),
                directives,
                snapshot.counts(Tally::toolFailures),
                snapshot.counts(Tally::toolSuccesses),
                snapshot.counts(Tally::tags),
                promotable,
                fileBytes(snapshot),
                lastCompaction,
                Due.sentence(snapshot, nowMillis),
                snapshot.logs().stream()
                        .mapToLong(log -> log.index().malformed())
                        .sum(),
                counters.appended.sum(),
                counters.recalled.sum(),
                counters.advised.sum(),
                counters.guardDropped.sum(),
                reads.tailWindowHitRate(),
                reads.cacheHitRate(),
                sync,
                tokens);
    }

    private static Map<String, Long> fileBytes(Snapshot snapshot) {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (LogView log : snapshot.logs()) {
            bytes.put(
                    String.valueOf(log.index().file().path().getFileName()),
                    log.index().file().length());
        }
        return bytes;
    }

    @Override
    public Map<String, Long> topToolsByFailures(int n) {
        return Snapshot.top(toolFailures, n);
    }

    @Override
    public Map<String, Long> topToolsBySuccesses(int n) {
        return Snapshot.top(toolSuccesses, n);
    }

    @Override
    public Map<String, Long> topTags(int n) {
        return Snapshot.top(tagCounts, n);
    }

    @Override
    public String text() {
        return new StatsText(tokens).text(this);
    }
}
