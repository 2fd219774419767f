package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Erases entries: their lines, those that cover them, and what was said of them. Used once. */
final class Eraser {
    private final FileSystem disk;
    private final LineCodec codec;
    private final Compactor compactor;
    private final int lineBytes;
    private final Set<String> ids;

    /** Erases what has one of these ids. */
    public Eraser(FileSystem disk, LineCodec codec, Compactor compactor, int lineBytes, Set<String> ids) {
        this.disk = disk;
        this.codec = codec;
        this.compactor = compactor;
        this.lineBytes = lineBytes;
        this.ids = Set.copyOf(ids);
    }

    /** Erases them from one's own logs; returns how many lines are gone. */
    public int fromLogs(LogRegistry catalog) throws IOException {
        return compactor.alone(() -> {
            List<LogSnapshot> own = new ArrayList<>();
            for (LogSnapshot view : catalog.whole().logs()) {
                if (view.index().origin().own()) {
                    own.add(view);
                }
            }
            Set<String> gone = entriesThatGo(own);
            int lines = 0;
            for (LogSnapshot view : own) {
                LogPlan plan = plan(view, gone);
                if (!plan.changes().isEmpty()) {
                    compactor.rewrite(plan, null);
                    lines += plan.changes().size();
                }
            }
            return lines;
        });
    }

    /** A line of a log, and whether it goes by itself. */
    private interface Seen {
        void line(
                long offset,
                byte[] buffer,
                int start,
                int bytes,
                int ordinal,
                @Nullable IndexedFields facts,
                boolean goes);
    }

    /** The ids that a line which goes stands for, and no line that stays: nothing can speak of them any more. */
    private Set<String> entriesThatGo(List<LogSnapshot> own) throws IOException {
        Set<String> gone = new HashSet<>();
        Set<String> stay = new HashSet<>();
        for (LogSnapshot view : own) {
            scan(view, (offset, buffer, start, bytes, ordinal, facts, goes) -> {
                if (facts != null && facts.target() == null) {
                    Set<String> into = goes ? gone : stay;
                    into.addAll(facts.covers());
                    if (facts.id() != null) {
                        into.add(facts.id());
                    }
                }
            });
        }
        gone.removeAll(stay);
        return gone;
    }

    private LogPlan plan(LogSnapshot view, Set<String> gone) throws IOException {
        List<LineChange> changes = new ArrayList<>();
        int[] lines = {0};
        long length = scan(view, (offset, buffer, start, bytes, ordinal, facts, goes) -> {
            lines[0] = Math.max(lines[0], ordinal + 1);
            if (goes || speaksOf(gone, facts, buffer, start, bytes)) {
                changes.add(new LineChange(offset, bytes, ordinal, LineChange.Why.PURGED, null, "it is to be erased"));
            }
        });
        return new LogPlan(view.index(), lines[0], length, changes);
    }

    private long scan(LogSnapshot view, Seen seen) throws IOException {
        LogIndex log = view.index();
        int[] next = {0};
        return log.file().scan(new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int bytes, boolean ended) {
                boolean known = next[0] < log.count() && log.lines().offset(next[0]) == offset;
                int ordinal = known ? next[0]++ : -1;
                boolean shown = known && ids.contains(log.id(ordinal));
                IndexedFields facts = facts(log, buffer, start, bytes);
                seen.line(offset, buffer, start, bytes, ordinal, facts, shown || goes(facts, buffer, start, bytes));
                return true;
            }

            @Override
            public void malformed(long offset, long bytes, String reason) {
                // longer than any line that is read: not an entry, and not looked into
            }
        });
    }

    private @Nullable IndexedFields facts(LogIndex log, byte[] buffer, int start, int length) {
        return facts(log.kind(), buffer, start, length);
    }

    private @Nullable IndexedFields facts(Entry.Kind kind, byte[] buffer, int start, int length) {
        try {
            return codec.facts(kind, buffer, start, length);
        } catch (MalformedLineException e) {
            return null;
        }
    }

    /** Whether a line has one of the ids, covers or speaks of one; a broken one, whether it has the text of one. */
    private boolean goes(@Nullable IndexedFields facts, byte[] buffer, int start, int length) {
        if (facts == null) {
            String text = new String(buffer, start, length, StandardCharsets.UTF_8);
            return ids.stream().anyMatch(text::contains);
        }
        Set<String> named = new HashSet<>(facts.covers());
        if (facts.id() != null) {
            named.add(facts.id());
        }
        return named.stream().anyMatch(ids::contains) || speaksOf(ids, facts, buffer, start, length);
    }

    /** Whether a line says something of one of these entries, or that one of them replaces another. */
    private boolean speaksOf(Set<String> entries, @Nullable IndexedFields facts, byte[] buffer, int start, int length) {
        if (facts == null || facts.target() == null) {
            return false;
        }
        try {
            byte[] line = Arrays.copyOfRange(buffer, start, start + length);
            return entries.contains(facts.target())
                    || codec.fields(line).get("by") instanceof String by && entries.contains(by);
        } catch (MalformedLineException e) {
            return false;
        }
    }

    /** Erases them from every file in a folder and below. */
    public void fromFolder(Path folder) throws IOException {
        for (Path file : disk.list(folder)) {
            String name = String.valueOf(file.getFileName());
            if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
                fromFile(file);
            } else {
                fromFolder(file);
            }
        }
        // An erasure before may have ended between a renaming and its becoming durable.
        disk.syncFolder(folder);
    }

    private void fromFile(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".purging");
        disk.delete(temporary);
        boolean[] gone = {false};
        List<IOException> failed = new ArrayList<>();
        try (FileSystem.Output appender = disk.append(temporary)) {
            BufferedAppender out = new BufferedAppender(appender);
            LogFile.readAll(disk, file, lineBytes, new LineSink() {
                @Override
                public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                    if (goes(facts(BackupReader.kind(file), buffer, start, length), buffer, start, length)) {
                        gone[0] = true;
                        return true;
                    }
                    byte[] line = new byte[length + 1];
                    System.arraycopy(buffer, start, line, 0, length);
                    line[length] = '\n';
                    try {
                        out.write(line);
                    } catch (IOException e) {
                        failed.add(e);
                    }
                    return true;
                }

                @Override
                public void malformed(long offset, long length, String reason) {
                    // longer than any line that is read: it goes too, since nobody looks into it
                    gone[0] = true;
                }
            });
            out.flush();
            appender.force();
        }
        if (!failed.isEmpty()) {
            disk.delete(temporary);
            throw failed.get(0);
        }
        if (gone[0]) {
            disk.move(temporary, file);
        } else {
            disk.delete(temporary);
        }
    }
}
