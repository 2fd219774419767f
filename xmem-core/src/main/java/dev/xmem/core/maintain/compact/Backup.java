package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.LogIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Copies of logs as they are, in a folder that is named by the time once the first of them is about to be replaced, and
 * has another name before. By whoever keeps other compactions away.
 */
final class Backup {
    private static final String UNFINISHED = ".unfinished";

    private final FileSystem disk;
    private final Path folder;

    private boolean named;
    private boolean filled;
    private boolean used;

    private Backup(FileSystem disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /** A new backup, a millisecond later where there is one of this time. What a crash left unfinished goes. */
    static Backup at(FileSystem disk, Path backups, Instant now) throws IOException {
        Instant time = now.truncatedTo(ChronoUnit.MILLIS);
        List<Path> known = disk.list(backups);
        for (Path left : known) {
            if (!isFinished(left)) {
                delete(disk, left);
            }
        }
        while (known.contains(backups.resolve(name(time)))) {
            time = time.plusMillis(1);
        }
        return new Backup(disk, backups.resolve(name(time)));
    }

    private static String name(Instant time) {
        return time.toString().replace(':', '_');
    }

    /** Where it is once it is finished. */
    Path folder() {
        return folder;
    }

    /** Whether a folder's name is that of a finished one. */
    static boolean isFinished(Path folder) {
        return !String.valueOf(folder.getFileName()).endsWith(UNFINISHED);
    }

    private Path unfinished() {
        return folder.resolveSibling(folder.getFileName() + UNFINISHED);
    }

    /** Gives it its name: from here on it is a backup. Before the first log is replaced. */
    void finish() throws IOException {
        if (filled && !named) {
            disk.move(unfinished(), folder);
            named = true;
        }
    }

    /** From here on it is needed: a log was replaced. */
    void used() {
        used = true;
    }

    /** Removes it unless it is needed. */
    void discard() throws IOException {
        if (!used) {
            delete(disk, named ? folder : unfinished());
        }
    }

    private static void delete(FileSystem disk, Path fileOrFolder) throws IOException {
        for (Path inside : disk.list(fileOrFolder)) {
            delete(disk, inside);
        }
        disk.delete(fileOrFolder);
    }

    /** Where the copy of a log is. */
    static Path place(Path folder, LogIndex log) {
        String name = String.valueOf(log.file().path().getFileName());
        if (log.origin().tier() == Origin.Tier.ARCHIVE) {
            return folder.resolve("archive").resolve(name);
        }
        return folder.resolve(
                switch (log.kind()) {
                    case FAILURE -> "failures.jsonl";
                    case SUCCESS -> "successes.jsonl";
                    case NOTE -> "notes.jsonl";
                    case DIRECTIVE -> "memories.ndjson";
                    case UNKNOWN -> name;
                });
    }

    /** Copies the beginning of a log; durable when it returns. */
    void add(LogIndex log, long length) throws IOException {
        filled = true;
        try (FileSystem.Output out = disk.append(place(unfinished(), log))) {
            if (log.file().copy(0, length, out) < length) {
                throw new IOException(log.file().path() + " is shorter than it was; plan again");
            }
            out.force();
        }
    }
}
