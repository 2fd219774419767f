package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.LogDiscovery;
import dev.xmem.core.store.index.LogIndex;
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

    private final FileSystem disk;
    private final Path folder;
    private final Function<Path, @Nullable LogIndex> known;

    /** @param known the index of an archive that is there already */
    Archive(FileSystem disk, Path folder, Function<Path, @Nullable LogIndex> known) {
        this.disk = disk;
        this.folder = folder;
        this.known = known;
    }

    /** Writes the lines of a log that move; durable when it returns. */
    void add(LogPlan plan) throws IOException {
        Map<YearMonth, List<LineChange>> months = new TreeMap<>();
        for (LineChange change : plan.changes()) {
            if (change.why() == LineChange.Why.ARCHIVED) {
                Instant time = Instant.ofEpochMilli(plan.index().lines().time(change.ordinal()));
                months.computeIfAbsent(YearMonth.from(time.atZone(ZoneOffset.UTC)), month -> new ArrayList<>())
                        .add(change);
            }
        }
        for (Map.Entry<YearMonth, List<LineChange>> month : months.entrySet()) {
            Path file = folder.resolve(LogDiscovery.archiveName(plan.index().kind(), month.getKey()));
            add(file, plan.index(), month.getValue());
        }
    }

    private void add(Path file, LogIndex from, List<LineChange> lines) throws IOException {
        LogIndex there = known.apply(file);
        try (FileSystem.Output appender = disk.append(file)) {
            BufferedAppender out = new BufferedAppender(appender);
            if (isOpen(file)) {
                out.write(NEWLINE);
            }
            for (LineChange change : lines) {
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
        FileSystem.Stat stat = disk.stat(file);
        if (stat == null || stat.length() == 0) {
            return false;
        }
        byte[] last = new byte[1];
        try (FileSystem.Input source = disk.open(file)) {
            return source.read(stat.length() - 1, last, 0, 1) == 1 && last[0] != '\n';
        }
    }
}
