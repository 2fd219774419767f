package dev.xmem.core.maintain.verify;

import static java.util.stream.Collectors.joining;

import dev.xmem.SyncReport;
import dev.xmem.VerifyReport;
import dev.xmem.core.answer.render.Plural;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.store.index.IndexJson;
import dev.xmem.core.store.index.LogChecksums;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.index.VerifiedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Checks all files of a store, repairs the derived ones, and keeps the checksums of the logs. */
public final class IntegrityChecker {
    private final FileSystem files;
    private final LogRegistry registry;
    private final StoreConfig config;
    private final StorePaths paths;
    private final LogChecksums checksums;
    private final VerifiedFiles verified;

    public IntegrityChecker(StoreConfig config, LogRegistry registry, LogChecksums checksums) {
        this.config = config;
        this.files = config.fileSystem();
        this.registry = registry;
        this.paths = config.paths();
        this.checksums = checksums;
        this.verified = new VerifiedFiles(files, paths.verified(), config.clock());
    }

    /**
     * Reports what is wrong.
     *
     * @param index repairs the derived files; null if the store is read-only
     * @param unread the streams of other replicas that are not read on
     */
    public VerifyReport verify(@Nullable IndexJsonWriter index, List<SyncReport.Unread> unread) throws IOException {
        VerifiedFiles.Check check = verified.begin(indexes(), true);
        int damaged = registry.checkSegments(check::believed, () -> false);
        LogVerifier verifier = new LogVerifier(config);
        List<LogSnapshot> logs = registry.whole().logs();
        verifier.read(
                registry.files(), logs.stream().mapToLong(LogSnapshot::count).sum());
        StoreSnapshot snapshot = registry.whole();
        List<Path> unsealed = checksums.check(logs(), (log, at, what, replaced) -> {
            if (replaced) {
                verifier.notice(log.getFileName() + " at byte " + at + ": " + what);
            } else {
                verifier.found(LogVerifier.Kind.CHANGE, log, at, what);
            }
        });
        for (LogIndex changed : registry.readAgainWhatChanged(check::believed, () -> false)) {
            String what = changed.file().path() + " was changed in place since it was indexed; it was read again";
            verifier.found(LogVerifier.Kind.CHANGE, what);
        }
        if (damaged > 0) {
            String what = index == null ? "the logs are read instead" : "they are rebuilt from the logs";
            verifier.found(
                    LogVerifier.Kind.DERIVED,
                    Plural.of(damaged, "damaged segment") + " in " + paths.segments() + "; " + what);
        }
        boolean written = index != null && index.writeAll();
        if (index != null) {
            note(check);
            sweepLost();
        }
        IndexJson file = new IndexJson(files, paths.index(), paths.indexState());
        // if it was just written, only an append of another process can have come since
        String behind = written || snapshot.isEmpty() ? null : file.behind(snapshot);
        if (behind != null) {
            verifier.notice(behind + "; the next flush or verify of a writable store brings it up to date");
        }
        if (!unsealed.isEmpty()) {
            String names = unsealed.stream()
                    .map(Path::getFileName)
                    .map(String::valueOf)
                    .collect(joining(", "));
            verifier.notice("no checksums yet of " + names + ": lines were read, and bytes not compared");
        }
        unread.forEach(left -> verifier.found(LogVerifier.Kind.PEER, left.text()));
        return verifier.report();
    }

    /**
     * Compares the logs with their segments, and checks these, except what an earlier check has read. Reads again what
     * turns out to be changed.
     */
    public void check(BooleanSupplier stopped) throws IOException {
        VerifiedFiles.Check check = verified.begin(indexes(), false);
        registry.readAgainWhatChanged(check::believed, stopped);
        registry.checkSegments(check::believed, stopped);
        if (!stopped.getAsBoolean()) {
            note(check);
            sweepLost();
        }
    }

    private void note(VerifiedFiles.Check check) {
        try {
            verified.done(check, indexes());
        } catch (IOException | RuntimeException e) {
            Log.debug("it was not noted what has been verified; the next process verifies it again", e);
        }
    }

    private void sweepLost() {
        try {
            registry.sweepLost();
        } catch (IOException | RuntimeException e) {
            Log.debug("segments of logs that are gone were not removed; the next check removes them", e);
        }
    }

    private List<LogIndex> indexes() throws IOException {
        return registry.whole().logs().stream().map(LogSnapshot::index).toList();
    }

    /** Writes the checksums of all logs. */
    public void seal() throws IOException {
        checksums.seal(logs());
    }

    public void sealQuietly() {
        try {
            seal();
        } catch (IOException | RuntimeException e) {
            Log.debug("the checksums of the logs were not written; the next flush or close writes them", e);
        }
    }

    private List<Path> logs() {
        List<Path> logs = new ArrayList<>();
        for (LogDescriptor log : registry.files()) {
            logs.add(log.file());
        }
        return logs;
    }
}
