package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.LatencyStats;
import dev.xmem.LayerStats;
import dev.xmem.RecallHistory;
import dev.xmem.Retention;
import dev.xmem.Stats;
import dev.xmem.SyncReport;
import dev.xmem.core.agent.event.RecallLog;
import dev.xmem.core.answer.directive.ActiveDirectives;
import dev.xmem.core.answer.lookup.RulePromotion;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.answer.render.StatsText;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.trace.LatencyHistogram;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.segment.LineColumns;
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

    /** A compaction is due if this number of lines, and one in {@link #DUE_SHARE}, could leave the logs. */
    private static final long DUE_LINES = 100;

    private static final long DUE_SHARE = 5;

    static StoreStats of(StoreAssembly parts) throws IOException {
        StoreSnapshot snapshot = parts.registry.whole();
        ActiveDirectives directives = parts.directives.active(snapshot);
        Metrics metrics = parts.metrics;
        return new StoreStats(
                snapshot.total(Entry.Kind.FAILURE),
                snapshot.total(Entry.Kind.SUCCESS),
                snapshot.total(Entry.Kind.NOTE),
                directives.size(),
                snapshot.counts(LogStatistics::toolFailures),
                snapshot.counts(LogStatistics::toolSuccesses),
                snapshot.counts(LogStatistics::tags),
                RulePromotion.candidates(snapshot, parts.lookup, parts.entries, directives),
                fileBytes(snapshot),
                newest(parts.files.list(parts.paths.backups())),
                compactionDue(snapshot, parts.config.clock().millis()),
                snapshot.logs().stream()
                        .mapToLong(log -> log.index().statistics().malformed())
                        .sum(),
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
                new Lazy<>(() -> RecallLog.read(parts.files, parts.paths, parts.codec)),
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

    /** Why a compaction with the default retention is due, estimated from the index alone; null if it is not. */
    private static @Nullable String compactionDue(StoreSnapshot snapshot, long nowMillis) throws IOException {
        Retention retention = Retention.defaults();
        long oldBefore = nowMillis - retention.hotWindow().toMillis();
        long lines = 0;
        long repeated = 0;
        long old = 0;
        for (LogSnapshot log : snapshot.logs()) {
            LogIndex index = log.index();
            boolean tiered = index.kind() == Entry.Kind.FAILURE || index.kind() == Entry.Kind.SUCCESS;
            if (!tiered || index.origin().tier() != Origin.Tier.HOT) {
                continue;
            }
            lines += log.count();
            old += linesBefore(oldBefore, index, log.count());
            repeated += repeated(log, retention.duplicateWindow().toMillis());
        }
        if (repeated + old < DUE_LINES || (repeated + old) * DUE_SHARE < lines) {
            return null;
        }
        return "up to " + repeated + " of " + Plural.of(lines, "line") + (repeated == 1 ? " repeats" : " repeat")
                + " another within a week, and " + old + (old == 1 ? " is" : " are") + " older than "
                + Plural.of(retention.hotWindow().toDays(), "day");
    }

    /** How many lines below a count are older than a time. */
    private static long linesBefore(long time, LogIndex log, int count) {
        LineColumns lines = log.lines();
        int low = 0;
        if (!log.statistics().times().ascendsBelow(count)) {
            for (int ordinal = 0; ordinal < count; ordinal++) {
                low += lines.time(ordinal) < time ? 1 : 0;
            }
            return low;
        }
        for (int high = count; low < high; ) {
            int middle = (low + high) >>> 1;
            if (lines.time(middle) < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The number of lines that follow the one before with the same hash within a window. */
    private static long repeated(LogSnapshot log, long window) throws IOException {
        LineColumns columns = log.index().lines();
        long[] repeated = {0};
        log.repeatedHashes(false, lines -> {
            long before = columns.time(lines[0]);
            for (int i = 1; i < lines.length; i++) {
                long time = columns.time(lines[i]);
                repeated[0] += Math.abs(time - before) <= window ? 1 : 0;
                before = time;
            }
        });
        return repeated[0];
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
