package dev.xmem.core.maintain.verify;

import dev.xmem.Limits;
import dev.xmem.VerifyReport;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.store.index.IndexJson;
import dev.xmem.core.store.index.LogChecksums;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares everything a store has written with what it should be, and repairs what is derived. */
public final class IntegrityChecker {
    private final FileSystem disk;
    private final LineCodec codec;
    private final LogRegistry catalog;
    private final StorePaths places;
    private final Limits limits;
    private final LogChecksums seals;

    public IntegrityChecker(FileSystem disk, LineCodec codec, LogRegistry catalog, StorePaths places, Limits limits) {
        this.disk = disk;
        this.codec = codec;
        this.catalog = catalog;
        this.places = places;
        this.limits = limits;
        this.seals = new LogChecksums(disk, codec, places.root(), places.seals());
    }

    /**
     * What is wrong.
     *
     * @param index repairs what is derived; null where nothing may be written
     */
    public VerifyReport verify(@Nullable IndexJsonWriter index) throws IOException {
        LogVerifier verification = new LogVerifier(disk, codec, limits.lineBytes());
        int damaged = catalog.checkSegments(() -> false);
        for (LogSnapshot log : catalog.whole().logs()) {
            verification.read(log.index().part());
        }
        StoreSnapshot snapshot = catalog.whole();
        for (Path log : logFiles()) {
            seals.check(log, verification::found);
        }
        for (LogIndex changed : catalog.readAgainWhatChanged(() -> false)) {
            verification.found(changed.file().path() + " was changed in place since it was indexed; it was read again");
        }
        if (damaged > 0) {
            verification.found(damaged + " segments in " + places.segments() + " were damaged; they are derived and "
                    + (index == null ? "not used" : "were made again"));
        }
        if (index != null) {
            index.writeAll();
        }
        IndexJson file = new IndexJson(disk, codec, places.index(), places.indexState());
        if (!snapshot.isEmpty() && !file.covers(snapshot)) {
            verification.found("index.json does not cover the logs; it is derived and will be written again");
        }
        return verification.report();
    }

    /** Writes the checksums of all logs. */
    public void seal() throws IOException {
        seals.seal(logFiles());
    }

    public void sealQuietly() {
        try {
            seal();
        } catch (IOException | RuntimeException e) {
            Log.debug("the logs were not sealed; they will be at the next flush or close", e);
        }
    }

    /** A log that was replaced has none of the bytes that were sealed; its number may come again. */
    public void forgetReplaced() {
        try {
            seals.forgetReplaced();
        } catch (IOException | RuntimeException e) {
            Log.debug("seals of replaced logs were not removed; they will be at the next sealing", e);
        }
    }

    private List<Path> logFiles() {
        List<Path> files = new ArrayList<>();
        for (LogSnapshot log : catalog.snapshot().logs()) {
            files.add(log.index().file().path());
        }
        return files;
    }
}
