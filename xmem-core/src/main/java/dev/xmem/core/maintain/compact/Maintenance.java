package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionListener;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.core.maintain.verify.IndexJsonWriter;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.write.Appender;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** What makes a store smaller, and what takes that back. Thread-safe. */
public final class Maintenance {
    /** For so long programs without the lock may go on writing to a log's file that was replaced. */
    private static final Duration UNTIL_LAST_LOOK = Duration.ofSeconds(1);

    private final FileSystem disk;
    private final LogRegistry catalog;
    private final LineCodec codec;
    private final StoreConfig settings;
    private final IndexJsonWriter index;
    private final Runnable replaced;
    private final CompactionPaths folders;
    private final Compactor compactor;
    private final LateWrites stragglers;
    private final Runnable lastLook;

    public Maintenance(
            FileSystem disk,
            LogRegistry catalog,
            IdHighWaterMarks spent,
            LineCodec codec,
            StoreConfig settings,
            Appender recorder,
            IndexJsonWriter index,
            Runnable replaced) {
        this.disk = disk;
        this.catalog = catalog;
        this.codec = codec;
        this.settings = settings;
        this.index = index;
        this.replaced = replaced;
        StorePaths places = settings.places();
        this.folders =
                new CompactionPaths(places.backups(), places.archives(), places.quarantine(), places.compactLock());
        this.stragglers = new LateWrites(recorder::alone);
        this.lastLook = () -> stragglers.look(true);
        this.compactor = new Compactor(disk, catalog, spent, folders, recorder::alone, stragglers);
    }

    public static Plan plan(LogRegistry catalog, LineCodec codec, StoreConfig settings, Retention retention)
            throws IOException {
        int lineBytes = settings.limits().lineBytes();
        return new Planner(
                        catalog.whole(),
                        codec,
                        retention,
                        lineBytes,
                        settings.clock().millis())
                .plan();
    }

    public CompactionReport compact(CompactionPlan given, CompactionListener listener) throws IOException {
        if (!(given instanceof Plan plan)) {
            throw new XMemException.Invalid("plan", "was not made by planCompaction of this store.");
        }
        StoreEvent event = new StoreEvent(StoreEvent.Operation.COMPACTION);
        CompactionReport report =
                compactor.compact(plan, listener, settings.clock().instant());
        event.done(report.removed());
        afterwards();
        return report;
    }

    public CompactionReport restore(Path backup) throws IOException {
        BackupReader reader = new BackupReader(disk, codec, settings.limits().lineBytes());
        CompactionReport report = new BackupRestore(disk, catalog, folders, compactor, reader)
                .restore(backup, settings.clock().instant());
        afterwards();
        return report;
    }

    private void afterwards() {
        replaced.run();
        index.writeQuietly();
        try {
            catalog.sweep();
        } catch (IOException e) {
            Log.debug("old segments are still there; the next opening removes them", e);
        }
        if (!stragglers.isEmpty()) {
            stragglers.look(false);
            settings.resources().background().schedule(lastLook, UNTIL_LAST_LOOK);
        }
    }

    /** Nothing is looked after any more. */
    public void close() {
        settings.resources().background().cancel(lastLook);
        stragglers.look(true);
    }

    public int purge(Set<String> ids, boolean backups) throws IOException {
        Eraser purge = new Eraser(disk, codec, compactor, settings.limits().lineBytes(), ids);
        int gone = purge.fromLogs(catalog);
        purge.fromFolder(folders.quarantine());
        if (backups) {
            purge.fromFolder(folders.backups());
        }
        catalog.sweep();
        afterwards();
        return gone;
    }
}
