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
import dev.xmem.core.file.Disk;
import dev.xmem.core.index.Catalog;
import dev.xmem.core.record.LineCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** What makes a store smaller, and what takes that back. Thread-safe. */
final class Upkeep {
    private final Disk disk;
    private final Catalog catalog;
    private final LineCodec codec;
    private final Settings settings;
    private final Recorder recorder;
    private final IndexKeeper index;
    private final Folders folders;
    private final Compactor compactor;

    Upkeep(Disk disk, Catalog catalog, LineCodec codec, Settings settings, Recorder recorder, IndexKeeper index) {
        this.disk = disk;
        this.catalog = catalog;
        this.codec = codec;
        this.settings = settings;
        this.recorder = recorder;
        this.index = index;
        Places places = settings.places();
        this.folders = new Folders(places.backups(), places.archives(), places.quarantine(), places.compactLock());
        this.compactor = new Compactor(disk, catalog, folders, recorder::alone);
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
        CompactionReport report =
                compactor.compact(plan, listener, settings.clock().instant());
        index.writeQuietly();
        return report;
    }

    CompactionReport restore(Path backup) throws IOException {
        BackupReader reader = new BackupReader(disk, codec, settings.limits().lineBytes());
        CompactionReport report = new Restoration(disk, catalog, folders, compactor, recorder::alone, reader)
                .restore(backup, settings.clock().instant());
        index.writeQuietly();
        return report;
    }

    int purge(Set<String> ids, boolean backups) throws IOException {
        Purge purge = new Purge(disk, codec, compactor, settings.limits().lineBytes(), ids);
        int gone = purge.fromLogs(catalog);
        purge.fromFolder(folders.quarantine());
        if (backups) {
            purge.fromFolder(folders.backups());
        }
        index.writeQuietly();
        return gone;
    }
}
