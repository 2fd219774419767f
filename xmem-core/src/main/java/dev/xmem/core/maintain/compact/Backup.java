package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.LogIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Copies of logs, in a folder named by the time. Until the first log is about to be replaced the folder has a name that
 * marks it as unfinished. The caller holds the compaction lock.
 */
final class Backup {
    private static final String UNFINISHED = ".unfinished";

    private final FileSystem files;
    private final Path folder;
    private boolean named;
    private boolean filled;
    private boolean used;

    private Backup(FileSystem files, Path folder) {
        this.files = files;
        this.folder = folder;
    }

    /** Creates a backup, a millisecond later if there is one of this time. Removes what a crash left unfinished. */
    static Backup at(FileSystem files, Path backups, Instant now) throws IOException {
        List<Path> known = files.list(backups);
        for (Path left : known) {
            if (!isFinished(left)) {
                delete(files, left);
            }
        }
        Instant time = now.truncatedTo(ChronoUnit.MILLIS);
        Path folder = backups.resolve(name(time));
        while (known.contains(folder)) {
            time = time.plusMillis(1);
            folder = backups.resolve(name(time));
        }
        return new Backup(files, folder);
    }

    private static String name(Instant time) {
        return time.toString().replace(':', '_');
    }

    /** The folder once the backup is finished. */
    Path folder() {
        return folder;
    }

    static boolean isFinished(Path folder) {
        return !String.valueOf(folder.getFileName()).endsWith(UNFINISHED);
    }

    private Path unfinished() {
        return folder.resolveSibling(folder.getFileName() + UNFINISHED);
    }

    /** Copies the beginning of a log; durable when it returns. */
    void add(LogIndex log, long length) throws IOException {
        filled = true;
        try (FileSystem.Output out = files.append(place(unfinished(), log))) {
            if (log.file().copy(0, length, out) < length) {
                throw new IOException(log.file().path() + " is shorter than it was; plan again");
            }
            out.force();
        }
    }

    /** The place of the copy of a log in a backup. */
    static Path place(Path folder, LogIndex log) {
        if (log.origin().tier() == Origin.Tier.ARCHIVE) {
            return folder.resolve("archive")
                    .resolve(String.valueOf(log.file().path().getFileName()));
        }
        return folder.resolve(LogName.of(log.kind()).fileName());
    }

    /** Gives the folder its final name, before the first log is replaced. */
    void finish() throws IOException {
        if (filled && !named) {
            files.move(unfinished(), folder);
            named = true;
        }
    }

    /** Keeps the backup: a log was replaced. */
    void used() {
        used = true;
    }

    /** Removes the backup unless it is used. */
    void discard() throws IOException {
        if (!used) {
            delete(files, named ? folder : unfinished());
        }
    }

    private static void delete(FileSystem files, Path fileOrFolder) throws IOException {
        for (Path inside : files.list(fileOrFolder)) {
            delete(files, inside);
        }
        files.delete(fileOrFolder);
    }
}
