package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.log.LineSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Brings a backup back. Used once. */
final class BackupRestore {
    private final FileSystem disk;
    private final LogRegistry catalog;
    private final CompactionPaths folders;
    private final Compactor compactor;
    private final BackupReader reader;

    /** A restoration of the logs of a catalog. */
    public BackupRestore(
            FileSystem disk, LogRegistry catalog, CompactionPaths folders, Compactor compactor, BackupReader reader) {
        this.disk = disk;
        this.catalog = catalog;
        this.folders = folders;
        this.compactor = compactor;
        this.reader = reader;
    }

    /** Brings it back; the logs as they are go into another one first. */
    public CompactionResult restore(Path given, Instant now) throws IOException {
        Path folder = folders.backups().resolve(given).normalize();
        if (!folders.backups().equals(folder.getParent())
                || !Backup.isFinished(folder)
                || disk.list(folder).isEmpty()) {
            throw new XMemException.Invalid(
                    "backup", "is no backup of this store: " + given + ". They are in " + folders.backups() + ".");
        }
        return compactor.alone(() -> run(folder, now));
    }

    private CompactionResult run(Path folder, Instant now) throws IOException {
        List<LogIndex> own = catalog.whole().logs().stream()
                .map(LogSnapshot::index)
                .filter(log -> log.origin().own() && log.kind() != Entry.Kind.NOTE)
                .toList();
        reader.readAll(folder);
        for (LogSnapshot view : catalog.whole().logs()) {
            if (view.index().origin().own()) {
                requireNewest(view);
            }
        }
        List<LogPlan> hot = new ArrayList<>();
        List<LogPlan> archives = new ArrayList<>();
        for (LogIndex log : own) {
            boolean isHot = log.origin().tier() == Origin.Tier.HOT;
            LogPlan plan = plan(log, isHot ? reader.digests(Backup.place(folder, log)) : Set.of());
            if (isHot && disk.exists(Backup.place(folder, log))) {
                hot.add(plan);
            } else if (!isHot && !plan.changes().isEmpty()) {
                archives.add(plan);
            }
        }
        Backup backup = Backup.at(disk, folders.backups(), now);
        try {
            return run(folder, hot, archives, own, backup);
        } finally {
            backup.discard();
        }
    }

    private CompactionResult run(
            Path folder, List<LogPlan> hot, List<LogPlan> archives, List<LogIndex> own, Backup backup)
            throws IOException {
        long removed = 0;
        for (LogPlan log : hot) {
            backup.add(log.index(), log.length());
        }
        for (LogPlan log : archives) {
            backup.add(log.index(), log.length());
        }
        compactor.archive(() -> reader.bringArchivesBack(folder.resolve("archive"), folders.archives(), own));
        for (LogPlan log : hot) {
            Path before = Backup.place(folder, log.index());
            try (LogRewriter rewrite = compactor.rewriting(log)) {
                rewrite.begin(before, reader.digests(before).size());
                rewrite.write();
                rewrite.finish(backup);
            }
            removed += log.leaving();
        }
        for (LogPlan log : archives) {
            compactor.rewrite(log, backup);
            removed += log.leaving();
        }
        return new CompactionResult(removed, backup.folder(), true);
    }

    /**
     * What leaves a log: lines that come with the backup, and those that were made of lines that come with it; wherever they
     * stand in it.
     */
    private LogPlan plan(LogIndex log, Set<Long> coming) throws IOException {
        Map<Integer, String> leaving = new HashMap<>();
        for (int ordinal = 0; ordinal < log.count(); ordinal++) {
            if (coming.contains(log.lines().digest(ordinal))) {
                leaving.put(ordinal, "it comes back with the backup");
            } else if (log.lines().occurrences(ordinal) > 1 && isMade(log, ordinal)) {
                leaving.put(ordinal, "it was made of lines that come back");
            }
        }
        List<LineChange> changes = new ArrayList<>();
        int[] next = {0};
        long length = log.file().scan(new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int bytes, boolean ended) {
                boolean known = next[0] < log.count() && log.lines().offset(next[0]) == offset;
                int ordinal = known ? next[0]++ : -1;
                int same = known ? ordinal : log.withBytes(Arrays.copyOfRange(buffer, start, start + bytes));
                String reason = leaving.get(same);
                if (reason != null) {
                    changes.add(new LineChange(offset, bytes, ordinal, LineChange.Why.COVERED, null, reason));
                }
                return true;
            }

            @Override
            public void malformed(long offset, long bytes, String reason) {
                // it stays where it is
            }
        });
        return new LogPlan(log, next[0], length, List.copyOf(changes));
    }

    /**
     * Fails where an entry of the backup would stand for others together with one of now: then each of the two has what
     * the other has not, and some entries would count twice.
     */
    private void requireNewest(LogSnapshot view) throws IOException {
        LogIndex log = view.index();
        for (int ordinal = 0; ordinal < view.count(); ordinal++) {
            if (log.lines().occurrences(ordinal) > 1
                    && view.shows(ordinal)
                    && !reader.has(log.lines().digest(ordinal))) {
                Set<String> now = family(log, ordinal);
                for (Set<String> then : reader.families()) {
                    boolean apart = then.stream().noneMatch(now::contains);
                    if (!apart && !now.containsAll(then) && !then.containsAll(now)) {
                        throw new XMemException.Invalid(
                                "backup",
                                "is older than another with the same entries: some of them are part of "
                                        + log.id(ordinal)
                                        + " now. Restore the newer backups first, the newest of all before the others.");
                    }
                }
            }
        }
    }

    private boolean isMade(LogIndex log, int ordinal) throws IOException {
        return !reader.has(log.lines().digest(ordinal)) && reader.ids().containsAll(family(log, ordinal));
    }

    /** The ids that a line stands for. */
    private static Set<String> family(LogIndex log, int ordinal) throws IOException {
        Set<String> ids = new HashSet<>(log.covers(ordinal));
        ids.add(Objects.requireNonNullElse(log.lines().id(ordinal), ""));
        return ids;
    }
}
