package dev.xmem.core;

import dev.xmem.core.directive.Directives;
import dev.xmem.core.file.Disk;
import dev.xmem.core.index.Catalog;
import dev.xmem.core.index.IndexFile;
import dev.xmem.core.index.SpentNumbers;
import dev.xmem.core.record.LineCodec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What only a store that may write has. Who appends and who makes the store smaller are made when they are first asked for:
 * many a process opens a store, asks, and ends. Thread-safe.
 */
final class Writing implements Closeable {
    private final Integrity integrity;
    private final Locks locks;
    private final IndexKeeper index;
    private final OnUse<Recorder> recorder;
    private final OnUse<Upkeep> upkeep;

    /** Makes the folders that are missing. */
    Writing(Settings settings, Disk disk, LineCodec codec, Catalog catalog, Directives directives, Integrity integrity)
            throws IOException {
        this.integrity = integrity;
        Places places = settings.places();
        disk.createFolders(places.data());
        disk.createFolders(places.local());
        if (disk.stat(places.localIgnore()) == null) {
            disk.replace(places.localIgnore(), "*\n".getBytes(StandardCharsets.UTF_8));
        }
        Path globalLock = places.globalLock();
        if (globalLock != null && globalLock.getParent() != null) {
            disk.createFolders(globalLock.getParent());
        }
        this.locks = new Locks(disk, places.lock(), globalLock);
        SpentNumbers spent = new SpentNumbers(disk, codec, places.spentNumbers());
        IndexFile file = new IndexFile(disk, codec, places.index(), places.indexState());
        this.index = new IndexKeeper(catalog, file, disk.mutex(places.indexLock()), settings.resources(), integrity);
        this.recorder = new OnUse<>(() -> new Recorder(catalog, locks, spent, codec, directives, settings));
        this.upkeep = new OnUse<>(
                () -> new Upkeep(disk, catalog, spent, codec, settings, recorder(), index, integrity::forgetReplaced));
    }

    IndexKeeper index() {
        return index;
    }

    /** Who appends. */
    Recorder recorder() {
        return recorder.get();
    }

    /** Who makes the store smaller. */
    Upkeep upkeep() {
        return upkeep.get();
    }

    /** Brings what is derived up to date, and writes nothing behind after that. */
    void stop() {
        Upkeep known = upkeep.ifMade();
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
