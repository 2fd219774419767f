package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionListener;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.core.maintain.verify.IndexJsonWriter;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogChecksums;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.write.Appender;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compacts, restores and purges a store, and updates what is derived from its logs afterwards. Thread-safe. */
public final class Maintenance {
    /** Between two collections of late writes. */
    private static final Duration LATE_WRITES = Duration.ofSeconds(1);

    private final LogRegistry registry;
    private final StoreConfig config;
    private final IndexJsonWriter index;
    private final FileSystem files;
    private final Compactor compactor;
    private final LateWrites lateWrites;
    private final Runnable collection;

    public Maintenance(
            FileSystem files,
            LogRegistry registry,
            IdHighWaterMarks marks,
            StoreConfig config,
            Appender appender,
            IndexJsonWriter index,
            LogChecksums checksums) {
        this.files = files;
        this.registry = registry;
        this.config = config;
        this.index = index;
        this.lateWrites = new LateWrites(appender);
        this.collection = () -> collectLateWrites(System.nanoTime());
        this.compactor = new Compactor(
                files, registry, marks, checksums, config.paths(), appender, lateWrites, config.lockTimeout());
    }

    public static Plan plan(LogRegistry registry, StoreConfig config, Retention retention) throws IOException {
        return planner(registry, config, retention).plan();
    }

    /** Why a compaction with the default retention is due; null if it is not. */
    public static @Nullable String due(LogRegistry registry, StoreConfig config) throws IOException {
        return planner(registry, config, Retention.defaults()).due();
    }

    private static Planner planner(LogRegistry registry, StoreConfig config, Retention retention) throws IOException {
        int lineBytes = config.limits().lineBytes();
        long now = config.clock().millis();
        return new Planner(registry.whole(), registry::extent, retention, lineBytes, now);
    }

    public CompactionReport compact(CompactionPlan given, CompactionListener listener) throws IOException {
        if (!(given instanceof Plan plan)) {
            throw new XMemException.Invalid("plan", "was not made by planCompaction of this store.");
        }
        StoreEvent event = new StoreEvent(StoreEvent.Operation.COMPACTION);
        CompactionReport report = compactor.compact(plan, listener, now());
        event.done(report.removed());
        updateDerived(false);
        return report;
    }

    public CompactionReport restore(Path backup) throws IOException {
        CompactionReport report = new BackupRestore(files, registry, config, compactor).restore(backup, now());
        updateDerived(true);
        return report;
    }

    public int purge(Set<String> ids, boolean backups) throws IOException {
        Eraser eraser = new Eraser(files, compactor, config.limits().lineBytes(), ids);
        eraser.requireOwn(registry);
        for (Path session : files.list(config.paths().sessions())) {
            files.delete(session); // it may have the call of an entry; what it is for starts again without it
        }
        files.delete(config.paths().hookTrace()); // it may name an entry and its family
        int gone = eraser.fromLogs(registry);
        eraser.fromFolder(config.paths().quarantine());
        if (backups) {
            gone += eraser.fromBackups(config.paths().backups());
        }
        registry.sweep();
        updateDerived(true);
        return gone;
    }

    private Instant now() {
        return config.clock().instant();
    }

    private void updateDerived(boolean erased) {
        if (erased) {
            index.writeQuietly(true);
        } else {
            index.writeSoon();
        }
        try {
            registry.sweep();
        } catch (IOException e) {
            Log.debug("old segments were not removed; the next open removes them", e);
        }
        collectLateWrites(System.nanoTime());
    }

    /** Collects late writes, and schedules the next collection while replaced files are watched. */
    void collectLateWrites(long now) {
        lateWrites.collect(now);
        if (!lateWrites.isEmpty()) {
            config.resources().background().schedule(collection, LATE_WRITES);
        }
    }

    /** Collects late writes for the last time. */
    public void close() {
        config.resources().background().cancel(collection);
        lateWrites.close();
    }
}
