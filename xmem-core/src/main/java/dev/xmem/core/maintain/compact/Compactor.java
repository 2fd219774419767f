package dev.xmem.core.maintain.compact;

import dev.xmem.CompactionListener;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.ExclusiveAccess;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.store.index.IdHighWaterMarks;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Carries plans out. Thread-safe; one compaction of a store at a time, over all processes. */
final class Compactor {
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private final FileSystem disk;
    private final LogRegistry catalog;
    private final CompactionPaths folders;
    private final IdHighWaterMarks spent;
    private final ExclusiveAccess exclusive;
    private final LateWrites stragglers;
    private volatile boolean archivesInDoubt;

    /** A compactor of the logs of a catalog. */
    public Compactor(
            FileSystem disk,
            LogRegistry catalog,
            IdHighWaterMarks spent,
            CompactionPaths folders,
            ExclusiveAccess exclusive,
            LateWrites stragglers) {
        this.disk = disk;
        this.catalog = catalog;
        this.spent = spent;
        this.folders = folders;
        this.exclusive = exclusive;
        this.stragglers = stragglers;
    }

    /** Carries a plan out. */
    public CompactionResult compact(Plan plan, CompactionListener listener, Instant now) throws IOException {
        for (LogPlan log : plan.logs()) {
            LogRewriter.requireCurrent(catalog, log);
        }
        if (plan.isEmpty()) {
            return new CompactionResult(0, folders.backups(), true);
        }
        return alone(() -> compact(plan, new Steps(listener, 3 * plan.logs().size()), now));
    }

    private CompactionResult compact(Plan plan, Steps steps, Instant now) throws IOException {
        Backup backup = Backup.at(disk, folders.backups(), now);
        try {
            return compact(plan, steps, backup);
        } finally {
            backup.discard();
        }
    }

    private CompactionResult compact(Plan plan, Steps steps, Backup backup) throws IOException {
        List<LogSnapshot> views = catalog.whole().logs();
        Archive archive = new Archive(disk, folders.archives(), file -> find(views, file));
        long removed = 0;
        boolean replaced = false;
        for (LogPlan log : plan.logs()) {
            if (!steps.next()) {
                return new CompactionResult(0, folders.backups(), false);
            }
            backup.add(log.index(), log.length());
        }
        for (LogPlan log : plan.logs()) {
            if (!steps.next()) {
                return new CompactionResult(0, folders.backups(), false);
            }
            quarantine(log, backup);
            archive(() -> archive.add(log));
        }
        for (LogPlan log : plan.logs()) {
            if (!steps.next()) {
                return new CompactionResult(removed, replaced ? backup.folder() : folders.backups(), false);
            }
            rewrite(log, backup);
            replaced = true;
            removed += log.leaving();
        }
        return new CompactionResult(removed, backup.folder(), true);
    }

    private static @Nullable LogIndex find(List<LogSnapshot> views, Path file) {
        return views.stream()
                .map(LogSnapshot::index)
                .filter(log -> log.file().path().equals(file))
                .findFirst()
                .orElse(null);
    }

    private void quarantine(LogPlan log, Backup backup) throws IOException {
        if (log.changes().stream().noneMatch(change -> change.why() == LineChange.Why.MALFORMED)) {
            return;
        }
        Path file = folders.quarantine().resolve(backup.folder().getFileName() + "-" + log.name());
        try (FileSystem.Output out = disk.append(file)) {
            BufferedAppender lines = new BufferedAppender(out);
            RunCopier runs = new RunCopier(log.index().file(), lines);
            for (LineChange change : log.changes()) {
                if (change.why() == LineChange.Why.MALFORMED) {
                    long end = runs.endOfLine(change.offset() + change.length(), log.length());
                    runs.copy(change.offset(), end);
                }
            }
            lines.flush();
            out.force();
        }
    }

    /** A new file for a log. */
    LogRewriter rewriting(LogPlan log) throws IOException {
        return new LogRewriter(disk, catalog, spent, exclusive, stragglers, log);
    }

    void rewrite(LogPlan log, @Nullable Backup backup) throws IOException {
        try (LogRewriter rewrite = rewriting(log)) {
            rewrite.write();
            rewrite.finish(backup);
        }
    }

    /** Writes to archives. */
    void archive(IoAction work) throws IOException {
        boolean written = false;
        try {
            work.run();
            written = true;
        } finally {
            archivesInDoubt |= !written;
        }
    }

    /**
     * Makes durable what is built upon: an earlier one may have ended between a write or a renaming and its fsync, and what
     * stands in an archive is taken out of a log. What a failed fsync lost an fsync does not bring back, so then the
     * archives are written anew.
     */
    private void settle() throws IOException {
        Set<Path> parents = new TreeSet<>();
        boolean doubt = archivesInDoubt;
        for (LogSnapshot view : catalog.whole().logs()) {
            LogIndex log = view.index();
            Path file = log.file().path();
            if (log.origin().own() && disk.exists(file)) {
                parents.add(Objects.requireNonNull(file.getParent()));
                if (log.origin().tier() == Origin.Tier.ARCHIVE) {
                    archive(() -> makeDurable(log, doubt));
                }
            }
        }
        for (Path folder : parents) {
            disk.syncFolder(folder);
        }
        archivesInDoubt = false;
    }

    private void makeDurable(LogIndex log, boolean anew) throws IOException {
        Path file = log.file().path();
        if (!anew) {
            try (FileSystem.Output appender = disk.append(file)) {
                appender.force();
            }
            return;
        }
        Path temporary = file.resolveSibling(file.getFileName() + ".compacting");
        disk.delete(temporary);
        try (FileSystem.Output out = disk.append(temporary)) {
            log.file().copy(0, log.file().length(), out);
            out.force();
        }
        disk.move(temporary, file);
    }

    /** Runs work while no other compaction, restoration or erasure runs. */
    <T> T alone(IoSupplier<T> work) throws IOException {
        try (FileSystem.FileLock mutex = disk.mutex(folders.mutex())) {
            if (!mutex.acquire(PATIENCE.toNanos())) {
                throw new XMemException.Busy(folders.mutex(), PATIENCE);
            }
            try {
                settle();
                return work.get();
            } finally {
                mutex.release();
            }
        }
    }

    /** Counts what is done, and asks whether to go on. */
    private static final class Steps {
        private final CompactionListener listener;
        private final int all;
        private int done;

        Steps(CompactionListener listener, int all) {
            this.listener = listener;
            this.all = all;
        }

        boolean next() {
            return listener.onProgress((double) done++ / all);
        }
    }
}
