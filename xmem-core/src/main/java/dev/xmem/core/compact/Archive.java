package dev.xmem.core.compact;

import dev.xmem.core.file.Disk;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.Shelves;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Adds lines to the archives of their months, each once. */
final class Archive {
    private static final byte[] NEWLINE = {'\n'};

    private final Disk disk;
    private final Path folder;
    private final Function<Path, @Nullable LogIndex> known;

    /** @param known the index of an archive that is there already */
    Archive(Disk disk, Path folder, Function<Path, @Nullable LogIndex> known) {
        this.disk = disk;
        this.folder = folder;
        this.known = known;
    }

    /** Writes the lines of a log that move; durable when it returns. */
    void add(LogPlan plan) throws IOException {
        Map<YearMonth, List<Change>> months = new TreeMap<>();
        for (Change change : plan.changes()) {
            if (change.why() == Change.Why.ARCHIVED) {
                Instant time = Instant.ofEpochMilli(plan.index().time(change.ordinal()));
                months.computeIfAbsent(YearMonth.from(time.atZone(ZoneOffset.UTC)), month -> new ArrayList<>())
                        .add(change);
            }
        }
        for (Map.Entry<YearMonth, List<Change>> month : months.entrySet()) {
            Path file = folder.resolve(Shelves.archiveName(plan.index().kind(), month.getKey()));
            add(file, plan.index(), month.getValue());
        }
    }

    private void add(Path file, LogIndex from, List<Change> lines) throws IOException {
        LogIndex there = known.apply(file);
        try (Disk.Appender appender = disk.append(file)) {
            BufferedAppender out = new BufferedAppender(appender);
            if (isOpen(file)) {
                out.write(NEWLINE);
            }
            for (Change change : lines) {
                byte[] line = change.line() == null ? from.bytes(change.ordinal()) : change.line();
                if (there == null || !has(there, line)) {
                    out.write(line);
                    out.write(NEWLINE);
                }
            }
            out.flush();
            appender.force();
        }
    }

    private static boolean has(LogIndex log, byte[] line) throws IOException {
        int same = log.withBytes(line);
        return same >= 0 && Arrays.equals(log.bytes(same), line);
    }

    /** Whether the last line has no end. */
    private boolean isOpen(Path file) throws IOException {
        Disk.Stat stat = disk.stat(file);
        if (stat == null || stat.length() == 0) {
            return false;
        }
        byte[] last = new byte[1];
        try (Disk.Source source = disk.open(file)) {
            return source.read(stat.length() - 1, last, 0, 1) == 1 && last[0] != '\n';
        }
    }
}
