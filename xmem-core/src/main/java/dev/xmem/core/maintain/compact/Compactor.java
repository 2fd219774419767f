package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionListener;
import dev.xmem.CompactionReport;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogChecksums;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.write.Appender;
import dev.xmem.core.write.StoreLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Carries plans out. Thread-safe; admits one compaction, restore or purge of a store at a time, over all processes. */
final class Compactor {
    private final FileSystem files;
    private final LogRegistry registry;
    private final IdHighWaterMarks marks;
    private final LogChecksums checksums;
    private final StorePaths paths;
    private final Appender appender;
    private final LateWrites lateWrites;
    private final Duration timeout;
    private volatile boolean archivesInDoubt;

    Compactor(
            FileSystem files,
            LogRegistry registry,
            IdHighWaterMarks marks,
            LogChecksums checksums,
            StorePaths paths,
            Appender appender,
            LateWrites lateWrites,
            Duration timeout) {
        this.timeout = timeout;
        this.files = files;
        this.registry = registry;
        this.marks = marks;
        this.checksums = checksums;
        this.paths = paths;
        this.appender = appender;
        this.lateWrites = lateWrites;
    }

    /** What a compaction or a restore did. */
    record Result(long removed, long quarantined, Path quarantine, Path backup, boolean completed)
            implements CompactionReport {}

    /** What a compaction or a restore did that quarantined nothing. */
    Result result(long removed, Path backup) {
        return new Result(removed, 0, paths.quarantine(), backup, true);
    }

    Result compact(Plan plan, CompactionListener listener, Instant now) throws IOException {
        requireCurrent(plan);
        if (plan.isEmpty()) {
            return result(0, paths.backups());
        }
        return alone(() -> {
            requireCurrent(plan); // another compaction may have ended meanwhile
            Backup backup = Backup.at(files, paths.backups(), now);
            try {
                return compact(plan.logs(), listener, backup);
            } finally {
                backup.discard();
            }
        });
    }

    private void requireCurrent(Plan plan) {
        for (LogPlan log : plan.logs()) {
            LogRewriter.requireCurrent(registry, log);
        }
    }

    /** Runs the three phases for each log; between any two steps the listener may cancel. */
    private Result compact(List<LogPlan> logs, CompactionListener listener, Backup backup) throws IOException {
        StoreSnapshot snapshot = registry.whole();
        int steps = 3 * logs.size();
        int replaced = 0;
        long removed = 0;
        long quarantined = 0;
        for (int step = 0; step < steps; step++) {
            if (!listener.onProgress((double) step / steps)) {
                Path folder = replaced > 0 ? backup.folder() : paths.backups();
                return new Result(removed, quarantined, paths.quarantine(), folder, false);
            }
            LogPlan log = logs.get(step % logs.size());
            if (step < logs.size()) {
                backup.add(log.index(), log.length());
            } else if (step < 2 * logs.size()) {
                quarantine(log, backup);
                archive(() -> Archive.addAll(log, files, snapshot, paths.archives()));
            } else {
                rewrite(log, backup);
                replaced++;
                removed += log.leaving() + log.changes(LineChange.Why.REPEATED).size();
                quarantined += log.changes(LineChange.Why.MALFORMED).size();
            }
        }
        return new Result(removed, quarantined, paths.quarantine(), backup.folder(), true);
    }

    private void quarantine(LogPlan log, Backup backup) throws IOException {
        List<LineChange> malformed = log.changes(LineChange.Why.MALFORMED);
        if (malformed.isEmpty()) {
            return;
        }
        Path file = paths.quarantine().resolve(backup.folder().getFileName() + "-" + log.name());
        try (FileSystem.Output out = files.append(file)) {
            BufferedAppender lines = new BufferedAppender(out);
            RunCopier runs = new RunCopier(log.index().file(), lines);
            for (LineChange change : malformed) {
                runs.copy(change.offset(), runs.endOfLine(change.offset() + change.length(), log.length()));
            }
            lines.flush();
            out.force();
        }
    }

    /** Creates the new file for a log. */
    LogRewriter rewriting(LogPlan log) throws IOException {
        return new LogRewriter(files, registry, marks, checksums, appender, lateWrites, log);
    }

    void rewrite(LogPlan log, @Nullable Backup backup) throws IOException {
        try (LogRewriter rewriter = rewriting(log)) {
            rewriter.write();
            rewriter.finish(backup);
        }
    }

    /** Runs an action that writes to archives. */
    void archive(IoAction action) throws IOException {
        try {
            action.run();
        } catch (IOException | RuntimeException | Error e) {
            archivesInDoubt = true;
            throw e;
        }
    }

    /** Runs work while no other compaction, restore or purge of this store runs. */
    <T> T alone(IoSupplier<T> work) throws IOException {
        try (FileSystem.FileLock lock = files.lock(paths.compactLock())) {
            StoreLocks.acquire(lock, paths.compactLock(), timeout);
            try {
                settle();
                return work.get();
            } finally {
                lock.release();
            }
        }
    }

    /**
     * Makes durable what the work relies on: an earlier compaction may have ended between a write or a rename and its
     * fsync, and the lines in an archive are removed from a log. An fsync does not recover what a failed fsync lost, so
     * after a failure the archives are written again.
     */
    private void settle() throws IOException {
        Set<Path> parents = new TreeSet<>();
        boolean doubt = archivesInDoubt;
        for (LogSnapshot view : registry.whole().logs()) {
            LogIndex log = view.index();
            Path file = log.file().path();
            if (log.origin().own() && files.exists(file)) {
                parents.add(Objects.requireNonNull(file.getParent()));
                if (log.origin().tier() == Origin.Tier.ARCHIVE) {
                    archive(() -> makeDurable(log, doubt));
                }
            }
        }
        for (Path folder : parents) {
            files.syncFolder(folder);
        }
        archivesInDoubt = false;
    }

    private void makeDurable(LogIndex log, boolean rewritten) throws IOException {
        Path file = log.file().path();
        if (!rewritten) {
            try (FileSystem.Output out = files.append(file)) {
                out.force();
            }
            return;
        }
        Path temporary = file.resolveSibling(file.getFileName() + LogRewriter.SUFFIX);
        files.delete(temporary);
        try (FileSystem.Output out = files.append(temporary)) {
            log.file().copy(0, log.file().length(), out);
            out.force();
        }
        files.move(temporary, file);
    }
}
