package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.LogDiscovery;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Appends lines to the archive of a month, each line once. */
final class Archive implements Closeable {
    private final @Nullable LogIndex known;
    private final FileSystem.Output appender;
    private final BufferedAppender out;

    /** @param snapshot holds the index of the archive if it exists already */
    Archive(FileSystem files, StoreSnapshot snapshot, Path file) throws IOException {
        this.known = snapshot.logs().stream()
                .map(LogSnapshot::index)
                .filter(log -> log.file().path().equals(file))
                .findFirst()
                .orElse(null);
        boolean sealed = isSealed(files, file);
        this.appender = files.append(file);
        this.out = new BufferedAppender(appender);
        if (!sealed) {
            out.write('\n');
        }
    }

    private static boolean isSealed(FileSystem files, Path file) throws IOException {
        FileSystem.Stat stat = files.stat(file);
        if (stat == null || stat.length() == 0) {
            return true;
        }
        byte[] last = new byte[1];
        try (FileSystem.Input source = files.open(file)) {
            return source.read(stat.length() - 1, last, 0, 1) < 1 || last[0] == '\n';
        }
    }

    /** Appends the lines of a log that move to the archives of their months; they are durable when it returns. */
    static void addAll(LogPlan plan, FileSystem files, StoreSnapshot snapshot, Path folder) throws IOException {
        LogIndex log = plan.index();
        Map<YearMonth, List<LineChange>> months = new TreeMap<>();
        for (LineChange change : plan.changes(LineChange.Why.ARCHIVED)) {
            months.computeIfAbsent(Planner.month(log.lines().time(change.ordinal())), month -> new ArrayList<>())
                    .add(change);
        }
        for (Map.Entry<YearMonth, List<LineChange>> month : months.entrySet()) {
            Path file = folder.resolve(LogDiscovery.archiveName(log.kind(), month.getKey()));
            try (Archive archive = new Archive(files, snapshot, file)) {
                for (LineChange change : month.getValue()) {
                    Replacement line = change.line();
                    archive.add(line == null ? log.bytes(change.ordinal()) : line.bytes());
                }
                archive.force();
            }
        }
    }

    void add(byte[] line) throws IOException {
        int same = known == null ? -1 : known.withBytes(line);
        if (known == null || same < 0 || !Arrays.equals(known.bytes(same), line)) {
            out.write(line);
            out.write('\n');
        }
    }

    /** Returns when all lines are durable. */
    void force() throws IOException {
        out.flush();
        appender.force();
    }

    @Override
    public void close() throws IOException {
        appender.close();
    }
}
