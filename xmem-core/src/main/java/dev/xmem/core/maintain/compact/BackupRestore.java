package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.XMemException;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/** Restores a backup. Used once. */
final class BackupRestore {
    private final FileSystem files;
    private final LogRegistry registry;
    private final StorePaths paths;
    private final Compactor compactor;
    private final int lineBytes;
    /** The digests of the lines of each file of the backup. */
    private final Map<Path, Set<Long>> digests = new HashMap<>();
    /** The ids of all lines of the backup, and those that they cover. */
    private final Set<String> ids = new HashSet<>();
    /** The lines of the backup's successes that answer failures. */
    private final Map<String, byte[]> answering = new HashMap<>();

    /** For each merged line of the backup, the ids that it stands for. */
    private final List<Set<String>> families = new ArrayList<>();

    BackupRestore(FileSystem files, LogRegistry registry, StoreConfig config, Compactor compactor) {
        this.files = files;
        this.registry = registry;
        this.paths = config.paths();
        this.compactor = compactor;
        this.lineBytes = config.limits().lineBytes();
    }

    /** Restores a backup, after a backup of the logs as they are. */
    Compactor.Result restore(Path given, Instant now) throws IOException {
        Path folder = paths.backups().resolve(given).normalize();
        if (!paths.backups().equals(folder.getParent())
                || !Backup.isFinished(folder)
                || files.list(folder).isEmpty()) {
            throw new XMemException.Invalid(
                    "backup",
                    "must name a backup of this store, not " + given + ". They are in " + paths.backups() + ".");
        }
        return compactor.alone(() -> run(folder, now));
    }

    private Compactor.Result run(Path folder, Instant now) throws IOException {
        StoreSnapshot snapshot = registry.whole();
        readBackup(folder);
        List<LogPlan> hot = new ArrayList<>();
        List<LogPlan> archives = new ArrayList<>();
        for (LogSnapshot view : snapshot.logs()) {
            LogIndex log = view.index();
            if (!log.origin().own()) {
                continue;
            }
            requireNewest(view);
            boolean isHot = log.origin().tier() == Origin.Tier.HOT;
            Path before = Backup.place(folder, log);
            if (!isHot || log.kind() != Entry.Kind.NOTE && files.exists(before)) {
                LogPlan plan = plan(log, isHot ? digests.getOrDefault(before, Set.of()) : Set.of());
                if (isHot) {
                    hot.add(plan);
                } else if (!plan.changes().isEmpty()) {
                    archives.add(plan);
                }
            }
        }
        Backup backup = Backup.at(files, paths.backups(), now);
        try {
            return run(folder, hot, archives, snapshot, backup);
        } finally {
            backup.discard();
        }
    }

    private Compactor.Result run(
            Path folder, List<LogPlan> hot, List<LogPlan> archives, StoreSnapshot snapshot, Backup backup)
            throws IOException {
        List<LogPlan> all = new ArrayList<>(hot);
        all.addAll(archives);
        for (LogPlan log : all) {
            backup.add(log.index(), log.length());
        }
        for (Path file : files.list(folder.resolve("archive"))) {
            Path target = paths.archives().resolve(String.valueOf(file.getFileName()));
            compactor.archive(() -> {
                try (Archive archive = new Archive(files, snapshot, target)) {
                    entries(file, (fields, line) -> archive.add(line));
                    archive.force();
                }
            });
        }
        for (LogPlan log : hot) {
            Path before = Backup.place(folder, log.index());
            try (LogRewriter rewriter = compactor.rewriting(log)) {
                rewriter.prepend(before, digests.getOrDefault(before, Set.of()).size());
                rewriter.write();
                rewriter.finish(backup);
            }
        }
        for (LogPlan log : archives) {
            compactor.rewrite(log, backup);
        }
        return compactor.result(all.stream().mapToLong(LogPlan::leaving).sum(), backup.folder());
    }

    private void readBackup(Path folder) throws IOException {
        Path archive = folder.resolve("archive");
        for (Path file : files.list(folder)) {
            if (!file.equals(archive)) {
                read(file);
            }
        }
        for (Path file : files.list(archive)) {
            read(file);
        }
    }

    private void read(Path file) throws IOException {
        Set<Long> lines = new HashSet<>();
        digests.put(file, lines);
        entries(file, (fields, line) -> {
            lines.add(LogIndex.digestOf(line));
            Set<String> family = new HashSet<>(fields.covers());
            if (fields.id() != null) {
                family.add(fields.id());
                if (!fields.answers().isEmpty()) {
                    answering.put(fields.id(), line);
                }
            }
            ids.addAll(family);
            if (!fields.covers().isEmpty()) {
                families.add(family);
            }
        });
    }

    /** Receives a line that is an entry. */
    private interface EntryConsumer {
        void accept(IndexedFields fields, byte[] line) throws IOException;
    }

    /** Passes on the lines of a file that are entries. */
    private void entries(Path file, EntryConsumer each) throws IOException {
        LogFile.readAll(files, file, lineBytes, new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                try {
                    IndexedFields fields = LineCodec.indexedFields(kind(file), buffer, start, length);
                    each.accept(fields, Arrays.copyOfRange(buffer, start, start + length));
                    return true;
                } catch (MalformedLineException e) {
                    return false;
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void malformed(long offset, long length, String reason) {
                // the restore copies whole files, this line included
            }
        });
    }

    static Entry.Kind kind(Path file) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("failures")) {
            return Entry.Kind.FAILURE;
        }
        if (name.startsWith("successes")) {
            return Entry.Kind.SUCCESS;
        }
        return name.startsWith("notes") ? Entry.Kind.NOTE : Entry.Kind.DIRECTIVE;
    }

    /** Whether any file of the backup has a line with this digest. */
    private boolean has(long digest) {
        return digests.values().stream().anyMatch(lines -> lines.contains(digest));
    }

    /**
     * Plans which lines leave a log: those that come with the backup, and those merged from lines that come with it.
     */
    private LogPlan plan(LogIndex log, Set<Long> coming) throws IOException {
        Map<Integer, String> leaving = new HashMap<>();
        for (int ordinal = 0; ordinal < log.count(); ordinal++) {
            if (coming.contains(log.lines().digest(ordinal))) {
                leaving.put(ordinal, "it comes back with the backup");
            } else if (log.lines().occurrences(ordinal) > 1 && isMade(log, ordinal)) {
                leaving.put(ordinal, "it was made of lines that come back");
            } else if (isUnlinked(log, ordinal)) {
                leaving.put(ordinal, "it comes back with the answers that an erasure removed");
            }
        }
        return LogPlan.of(log, line -> {
            int same = line.ordinal() >= 0 ? line.ordinal() : log.withBytes(line.bytes());
            String reason = leaving.get(same);
            return reason == null ? null : line.leaves(LineChange.Why.COVERED, reason);
        });
    }

    /**
     * Fails if an entry of the backup and a current entry share some of the entries that they stand for, but not all:
     * each of the two would have what the other has not, and some entries would count twice.
     */
    private void requireNewest(LogSnapshot view) throws IOException {
        LogIndex log = view.index();
        for (int ordinal = 0; ordinal < view.count(); ordinal++) {
            if (log.lines().occurrences(ordinal) > 1
                    && view.shows(ordinal)
                    && !has(log.lines().digest(ordinal))) {
                Set<String> now = family(log, ordinal);
                for (Set<String> then : families) {
                    boolean apart = then.stream().noneMatch(now::contains);
                    if (!apart && !now.containsAll(then) && !then.containsAll(now)) {
                        throw new XMemException.Invalid(
                                "backup",
                                "is older than another with the same entries: some of them are part of "
                                        + log.id(ordinal)
                                        + " now. Restore the newer backups first, the newest before the others.");
                    }
                }
            }
        }
    }

    /** Whether an erasure removed answers from the line of the backup, and left this line. */
    private boolean isUnlinked(LogIndex log, int ordinal) throws IOException {
        byte[] before = answering.get(String.valueOf(log.lines().id(ordinal)));
        if (before == null) {
            return false;
        }
        try {
            Map<String, Object> then = LineCodec.fields(before);
            Map<String, Object> now = LineCodec.fields(log.bytes(ordinal));
            Object answered = then.remove("answers");
            Object answers = now.remove("answers");
            return then.equals(now)
                    && answered instanceof List<?> all
                    && (answers == null || answers instanceof List<?> left && all.containsAll(left));
        } catch (MalformedLineException e) {
            return false;
        }
    }

    private boolean isMade(LogIndex log, int ordinal) throws IOException {
        return !has(log.lines().digest(ordinal)) && ids.containsAll(family(log, ordinal));
    }

    /** The ids that a line stands for. */
    private static Set<String> family(LogIndex log, int ordinal) throws IOException {
        Set<String> family = new HashSet<>(log.fields(ordinal).covers());
        family.add(Objects.requireNonNullElse(log.lines().id(ordinal), ""));
        return family;
    }
}
