package dev.xmem.core;

import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.maintain.compact.Maintenance;
import dev.xmem.core.maintain.verify.IndexJsonWriter;
import dev.xmem.core.maintain.verify.IntegrityChecker;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.IndexJson;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.write.Appender;
import dev.xmem.core.write.StoreLocks;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What only a store that may write has. Who appends and who makes the store smaller are made when they are first asked for:
 * many a process opens a store, asks, and ends. Thread-safe.
 */
final class WriteSide implements Closeable {
    private final IntegrityChecker integrity;
    private final StoreLocks locks;
    private final IndexJsonWriter index;
    private final Lazy<Appender> recorder;
    private final Lazy<Maintenance> upkeep;

    /** Makes the folders that are missing. */
    WriteSide(
            StoreConfig settings,
            FileSystem disk,
            LineCodec codec,
            LogRegistry catalog,
            DirectiveReader directives,
            IntegrityChecker integrity)
            throws IOException {
        this.integrity = integrity;
        StorePaths places = settings.places();
        disk.createFolders(places.data());
        disk.createFolders(places.local());
        if (disk.stat(places.localIgnore()) == null) {
            disk.replace(places.localIgnore(), "*\n".getBytes(StandardCharsets.UTF_8));
        }
        Path globalLock = places.globalLock();
        if (globalLock != null && globalLock.getParent() != null) {
            disk.createFolders(globalLock.getParent());
        }
        this.locks = new StoreLocks(disk, places.lock(), globalLock);
        IdHighWaterMarks spent = new IdHighWaterMarks(disk, codec, places.spentNumbers());
        IndexJson file = new IndexJson(disk, codec, places.index(), places.indexState());
        this.index =
                new IndexJsonWriter(catalog, file, disk.mutex(places.indexLock()), settings.resources(), integrity);
        this.recorder = new Lazy<>(() -> new Appender(catalog, locks, spent, codec, directives, settings));
        this.upkeep = new Lazy<>(() ->
                new Maintenance(disk, catalog, spent, codec, settings, recorder(), index, integrity::forgetReplaced));
    }

    IndexJsonWriter index() {
        return index;
    }

    /** Who appends. */
    Appender recorder() {
        return recorder.get();
    }

    /** Who makes the store smaller. */
    Maintenance upkeep() {
        return upkeep.get();
    }

    /** Brings what is derived up to date, and writes nothing behind after that. */
    void stop() {
        Maintenance known = upkeep.ifCreated();
        if (known != null) {
            known.close();
        }
        index.stop();
        index.writeQuietly();
        integrity.sealQuietly();
    }

    @Override
    public void close() throws IOException {
        index.close();
        locks.close();
    }
}
