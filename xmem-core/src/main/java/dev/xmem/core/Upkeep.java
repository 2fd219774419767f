package dev.xmem.core;

import dev.xmem.CompactionListener;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.core.compact.BackupReader;
import dev.xmem.core.compact.Compactor;
import dev.xmem.core.compact.Folders;
import dev.xmem.core.compact.Plan;
import dev.xmem.core.compact.Planner;
import dev.xmem.core.compact.Purge;
import dev.xmem.core.compact.Restoration;
import dev.xmem.core.compact.Stragglers;
import dev.xmem.core.file.Disk;
import dev.xmem.core.index.Catalog;
import dev.xmem.core.index.SpentNumbers;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.trace.CompactionEvent;
import dev.xmem.core.trace.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** What makes a store smaller, and what takes that back. Thread-safe. */
final class Upkeep {
    /** For so long programs without the lock may go on writing to a log's file that was replaced. */
    private static final Duration UNTIL_LAST_LOOK = Duration.ofSeconds(1);

    private final Disk disk;
    private final Catalog catalog;
    private final LineCodec codec;
    private final Settings settings;
    private final IndexKeeper index;
    private final Runnable replaced;
    private final Folders folders;
    private final Compactor compactor;
    private final Stragglers stragglers;
    private final Runnable lastLook;

    Upkeep(
            Disk disk,
            Catalog catalog,
            SpentNumbers spent,
            LineCodec codec,
            Settings settings,
            Recorder recorder,
            IndexKeeper index,
            Runnable replaced) {
        this.disk = disk;
        this.catalog = catalog;
        this.codec = codec;
        this.settings = settings;
        this.index = index;
        this.replaced = replaced;
        Places places = settings.places();
        this.folders = new Folders(places.backups(), places.archives(), places.quarantine(), places.compactLock());
        this.stragglers = new Stragglers(recorder::alone);
        this.lastLook = () -> stragglers.look(true);
        this.compactor = new Compactor(disk, catalog, spent, folders, recorder::alone, stragglers);
    }

    static Plan plan(Catalog catalog, LineCodec codec, Settings settings, Retention retention) throws IOException {
        int lineBytes = settings.limits().lineBytes();
        return new Planner(
                        catalog.whole(),
                        codec,
                        retention,
                        lineBytes,
                        settings.clock().millis())
                .plan();
    }

    CompactionReport compact(CompactionPlan given, CompactionListener listener) throws IOException {
        if (!(given instanceof Plan plan)) {
            throw new XMemException.Invalid("plan", "was not made by planCompaction of this store.");
        }
        CompactionEvent event = new CompactionEvent();
        CompactionReport report =
                compactor.compact(plan, listener, settings.clock().instant());
        event.done(report.removed());
        afterwards();
        return report;
    }

    CompactionReport restore(Path backup) throws IOException {
        BackupReader reader = new BackupReader(disk, codec, settings.limits().lineBytes());
        CompactionReport report = new Restoration(disk, catalog, folders, compactor, reader)
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
            Logging.debug("old segments are still there; the next opening removes them", e);
        }
        if (!stragglers.isEmpty()) {
            stragglers.look(false);
            settings.resources().schedule(lastLook, UNTIL_LAST_LOOK);
        }
    }

    /** Nothing is looked after any more. */
    void close() {
        settings.resources().cancel(lastLook);
        stragglers.look(true);
    }

    int purge(Set<String> ids, boolean backups) throws IOException {
        Purge purge = new Purge(disk, codec, compactor, settings.limits().lineBytes(), ids);
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
