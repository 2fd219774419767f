package dev.xmem.core.compact;

import dev.xmem.core.file.Disk;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.Origin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Copies of logs as they are, in a folder that is named by the time. */
final class Backup {
    private final Disk disk;
    private final Path folder;

    private Backup(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /** A new backup, a millisecond later where there is one of this time. */
    static Backup at(Disk disk, Path backups, Instant now) throws IOException {
        Instant time = now.truncatedTo(ChronoUnit.MILLIS);
        List<Path> known = disk.list(backups);
        while (known.contains(backups.resolve(name(time)))) {
            time = time.plusMillis(1);
        }
        return new Backup(disk, backups.resolve(name(time)));
    }

    private static String name(Instant time) {
        return time.toString().replace(':', '_');
    }

    Path folder() {
        return folder;
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
                    case OTHER -> name;
                });
    }

    /** Copies the beginning of a log; durable when it returns. */
    void add(LogIndex log, long length) throws IOException {
        try (Disk.Appender out = disk.append(place(folder, log))) {
            if (log.file().copy(0, length, out) < length) {
                throw new IOException(log.file().path() + " is shorter than it was; plan again");
            }
            out.force();
        }
    }
}
