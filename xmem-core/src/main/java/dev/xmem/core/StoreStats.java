package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.LatencyStats;
import dev.xmem.LayerStats;
import dev.xmem.RecallHistory;
import dev.xmem.Stats;
import dev.xmem.SyncReport;
import dev.xmem.core.agent.event.RecallLog;
import dev.xmem.core.answer.directive.ActiveDirectives;
import dev.xmem.core.answer.lookup.RulePromotion;
import dev.xmem.core.answer.render.StatsText;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.trace.LatencyHistogram;
import dev.xmem.core.maintain.compact.Maintenance;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.LogStatistics;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The statistics of one moment. Immutable. */
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
        long guardUnavailable,
        double tailWindowHitRate,
        double cacheHitRate,
        LatencyStats appendLatency,
        LatencyStats recallLatency,
        LatencyStats searchLatency,
        long indexBytes,
        @Nullable SyncReport sync,
        List<LayerStats> layers,
        Lazy<RecallHistory> history,
        TokenEstimator tokens)
        implements Stats {
    /** Counters and latencies since the store was opened. Thread-safe. */
    static final class Metrics {
        final LongAdder appended = new LongAdder();
        final LongAdder recalled = new LongAdder();
        final LongAdder advised = new LongAdder();
        final LongAdder guardDropped = new LongAdder();
        final LongAdder guardUnavailable = new LongAdder();
        final LatencyHistogram appends = new LatencyHistogram();
        final LatencyHistogram recalls = new LatencyHistogram();
        final LatencyHistogram searches = new LatencyHistogram();

        /** Counts a recall; the advice is null if the recall was not answered in time. */
        void recalled(@Nullable Advice advice) {
            recalled.increment();
            if (advice != null && !advice.isEmpty()) {
                advised.increment();
            }
        }
    }

    static StoreStats of(StoreAssembly parts) throws IOException {
        StoreSnapshot snapshot = parts.registry.whole();
        ActiveDirectives directives = parts.directives.active(snapshot);
        LogStatistics hidden = parts.outcomes.amendments(snapshot).hidden(snapshot);
        long malformed = 0;
        for (LogSnapshot log : snapshot.logs()) {
            malformed += log.index().statistics().malformed();
        }
        Metrics metrics = parts.metrics;
        return new StoreStats(
                snapshot.total(Entry.Kind.FAILURE) - hidden.of(Entry.Kind.FAILURE),
                snapshot.total(Entry.Kind.SUCCESS) - hidden.of(Entry.Kind.SUCCESS),
                snapshot.total(Entry.Kind.NOTE) - hidden.of(Entry.Kind.NOTE),
                directives.size(),
                snapshot.counts(LogStatistics::toolFailures, hidden),
                snapshot.counts(LogStatistics::toolSuccesses, hidden),
                snapshot.counts(LogStatistics::tags, hidden),
                RulePromotion.candidates(snapshot, parts.lookup, parts.entries, directives),
                fileBytes(snapshot),
                newest(parts.files.list(parts.paths.backups())),
                Maintenance.due(parts.registry, parts.config),
                malformed,
                metrics.appended.sum(),
                metrics.recalled.sum(),
                metrics.advised.sum(),
                metrics.guardDropped.sum(),
                metrics.guardUnavailable.sum(),
                parts.reads.tailWindowHitRate(),
                parts.reads.cacheHitRate(),
                metrics.appends.latency(),
                metrics.recalls.latency(),
                metrics.searches.latency(),
                parts.registry.segmentBytes(),
                parts.sync == null ? null : parts.sync.status(),
                parts.layers.stats(),
                new Lazy<>(() -> RecallLog.read(parts.files, parts.paths)),
                parts.config.tokens());
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

    /** The time of the newest backup, whose folder is named by it; null if there is none. */
    private static @Nullable Instant newest(List<Path> backups) {
        Instant last = null;
        for (Path backup : backups) {
            try {
                Instant time = Instant.parse(backup.getFileName().toString().replace('_', ':'));
                last = last == null || time.isAfter(last) ? time : last;
            } catch (DateTimeParseException e) {
                // not a backup
            }
        }
        return last;
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
    public RecallHistory recalls() {
        return history.get();
    }

    @Override
    public String text() {
        return new StatsText(tokens).text(this);
    }
}
