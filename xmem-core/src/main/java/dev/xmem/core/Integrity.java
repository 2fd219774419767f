package dev.xmem.core;

import dev.xmem.Limits;
import dev.xmem.VerifyReport;
import dev.xmem.core.file.Disk;
import dev.xmem.core.index.Catalog;
import dev.xmem.core.index.IndexFile;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Seals;
import dev.xmem.core.index.Snapshot;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.trace.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares everything a store has written with what it should be, and repairs what is derived. */
final class Integrity {
    private final Disk disk;
    private final LineCodec codec;
    private final Catalog catalog;
    private final Places places;
    private final Limits limits;
    private final Seals seals;

    Integrity(Disk disk, LineCodec codec, Catalog catalog, Places places, Limits limits) {
        this.disk = disk;
        this.codec = codec;
        this.catalog = catalog;
        this.places = places;
        this.limits = limits;
        this.seals = new Seals(disk, codec, places.root(), places.seals());
    }

    /**
     * What is wrong.
     *
     * @param index repairs what is derived; null where nothing may be written
     */
    VerifyReport verify(@Nullable IndexKeeper index) throws IOException {
        Verification verification = new Verification(disk, codec, limits.lineBytes());
        for (LogView log : catalog.whole().logs()) {
            verification.read(log.index().part());
        }
        Snapshot snapshot = catalog.whole();
        for (Path log : logFiles()) {
            seals.check(log, verification::found);
        }
        for (LogIndex changed : catalog.readAgainWhatChanged(() -> false)) {
            verification.found(changed.file().path() + " was changed in place since it was indexed; it was read again");
        }
        int damaged = catalog.checkSegments(() -> false);
        if (damaged > 0) {
            verification.found(damaged + " segments in " + places.segments() + " were damaged; they are derived and "
                    + (index == null ? "not used" : "were made again"));
        }
        if (index != null) {
            index.writeAll();
        }
        IndexFile file = new IndexFile(disk, codec, places.index(), places.indexState());
        if (!snapshot.isEmpty() && !file.covers(snapshot)) {
            verification.found("index.json does not cover the logs; it is derived and will be written again");
        }
        return verification.report();
    }

    /** Writes the checksums of all logs. */
    void seal() throws IOException {
        seals.seal(logFiles());
    }

    void sealQuietly() {
        try {
            seal();
        } catch (IOException | RuntimeException e) {
            Logging.debug("the logs were not sealed; they will be at the next flush or close", e);
        }
    }

    /** A log that was replaced has none of the bytes that were sealed; its number may come again. */
    void forgetReplaced() {
        try {
            seals.forgetReplaced();
        } catch (IOException | RuntimeException e) {
            Logging.debug("seals of replaced logs were not removed; they will be at the next sealing", e);
        }
    }

    private List<Path> logFiles() {
        List<Path> files = new ArrayList<>();
        for (LogView log : catalog.snapshot().logs()) {
            files.add(log.index().file().path());
        }
        return files;
    }
}
