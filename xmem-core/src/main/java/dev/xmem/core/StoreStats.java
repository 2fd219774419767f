package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.LatencyStats;
import dev.xmem.Stats;
import dev.xmem.SyncReport;
import dev.xmem.core.answer.render.StatsText;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.log.ReadStats;
import dev.xmem.core.store.segment.LogStatistics;
import dev.xmem.spi.TokenEstimator;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
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
        LatencyStats appendLatency,
        LatencyStats recallLatency,
        LatencyStats searchLatency,
        long indexBytes,
        @Nullable SyncReport sync,
        TokenEstimator tokens)
        implements Stats {

    static StoreStats of(
            StoreSnapshot snapshot,
            long directives,
            List<String> promotable,
            @Nullable Instant lastCompaction,
            long nowMillis,
            StoreMetrics counters,
            ReadStats reads,
            long indexBytes,
            @Nullable SyncReport sync,
            TokenEstimator tokens) {
        return new StoreStats(
                snapshot.total(Entry.Kind.FAILURE),
                snapshot.total(Entry.Kind.SUCCESS),
                snapshot.total(Entry.Kind.NOTE),
                directives,
                snapshot.counts(LogStatistics::toolFailures),
                snapshot.counts(LogStatistics::toolSuccesses),
                snapshot.counts(LogStatistics::tags),
                promotable,
                fileBytes(snapshot),
                lastCompaction,
                CompactionAdvisor.sentence(snapshot, nowMillis),
                snapshot.logs().stream()
                        .mapToLong(log -> log.index().statistics().malformed())
                        .sum(),
                counters.appended.sum(),
                counters.recalled.sum(),
                counters.advised.sum(),
                counters.guardDropped.sum(),
                reads.tailWindowHitRate(),
                reads.cacheHitRate(),
                counters.appends.latency(),
                counters.recalls.latency(),
                counters.searches.latency(),
                indexBytes,
                sync,
                tokens);
    }

    /** The time of the newest backup, which is named by it; null if there is none. */
    static @Nullable Instant newest(List<Path> backups) {
        Instant last = null;
        for (Path backup : backups) {
            try {
                Instant time = Instant.parse(backup.getFileName().toString().replace('_', ':'));
                last = last == null || time.isAfter(last) ? time : last;
            } catch (DateTimeParseException e) {
                // a folder that is no backup of ours
            }
        }
        return last;
    }

    private static Map<String, Long> fileBytes(StoreSnapshot snapshot) {
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (LogSnapshot log : snapshot.logs()) {
            bytes.put(
                    String.valueOf(log.index().file().path().getFileName()),
                    log.index().file().length());
        }
        return bytes;
    }

    @Override
    public Map<String, Long> topToolsByFailures(int n) {
        return StoreSnapshot.top(toolFailures, n);
    }

    @Override
    public Map<String, Long> topToolsBySuccesses(int n) {
        return StoreSnapshot.top(toolSuccesses, n);
    }

    @Override
    public Map<String, Long> topTags(int n) {
        return StoreSnapshot.top(tagCounts, n);
    }

    @Override
    public String text() {
        return new StatsText(tokens).text(this);
    }
}
