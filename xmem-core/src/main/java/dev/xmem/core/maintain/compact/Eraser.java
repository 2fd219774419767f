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
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Erases entries: their lines, the lines that cover them, and the outcomes and amendments about them. Used once. */
final class Eraser {
    private final FileSystem files;
    private final LineCodec codec;
    private final Compactor compactor;
    private final int lineBytes;
    private final Set<String> ids;

    Eraser(FileSystem files, LineCodec codec, Compactor compactor, int lineBytes, Set<String> ids) {
        this.files = files;
        this.codec = codec;
        this.compactor = compactor;
        this.lineBytes = lineBytes;
        this.ids = Set.copyOf(ids);
    }

    /** Erases them from the store's own logs; returns the number of lines removed. */
    int fromLogs(LogRegistry registry) throws IOException {
        return compactor.alone(() -> {
            List<LogIndex> own = registry.whole().logs().stream()
                    .map(LogSnapshot::index)
                    .filter(log -> log.origin().own())
                    .toList();
            Set<String> gone = entriesThatGo(own);
            int lines = 0;
            for (LogIndex log : own) {
                LogPlan plan = LogPlan.of(log, line -> {
                    IndexedFields fields = fields(log.kind(), line.buffer(), line.start(), line.length());
                    boolean leaves = goes(log, line, fields) || isAbout(gone, fields, line.bytes());
                    return leaves ? line.leaves(LineChange.Why.PURGED, "it is to be erased") : null;
                });
                if (!plan.changes().isEmpty()) {
                    compactor.rewrite(plan, null);
                    lines += plan.changes().size();
                }
            }
            return lines;
        });
    }

    /** The ids for which a line that goes stands, and no line that stays: outcomes and amendments about them go too. */
    private Set<String> entriesThatGo(List<LogIndex> own) throws IOException {
        Set<String> gone = new HashSet<>();
        Set<String> stay = new HashSet<>();
        for (LogIndex log : own) {
            LogPlan.of(log, line -> {
                IndexedFields fields = fields(log.kind(), line.buffer(), line.start(), line.length());
                if (fields != null && fields.target() == null) {
                    (goes(log, line, fields) ? gone : stay).addAll(named(fields));
                }
                return null;
            });
        }
        gone.removeAll(stay);
        return gone;
    }

    private boolean goes(LogIndex log, LogPlan.PlannedLine line, @Nullable IndexedFields fields) {
        return line.ordinal() >= 0 && ids.contains(log.id(line.ordinal())) || goes(fields, line.bytes());
    }

    /**
     * Whether a line has one of the ids, covers one or is about one; a malformed line, whether it contains one as text.
     */
    private boolean goes(@Nullable IndexedFields fields, byte[] line) {
        if (fields == null) {
            String text = new String(line, StandardCharsets.UTF_8);
            return ids.stream().anyMatch(text::contains);
        }
        return named(fields).stream().anyMatch(ids::contains) || isAbout(ids, fields, line);
    }

    private static Set<String> named(IndexedFields fields) {
        Set<String> named = new HashSet<>(fields.covers());
        if (fields.id() != null) {
            named.add(fields.id());
        }
        return named;
    }

    /** Whether a line is an outcome or an amendment about one of these entries, or says that one replaces another. */
    private boolean isAbout(Set<String> entries, @Nullable IndexedFields fields, byte[] line) {
        if (fields == null || fields.target() == null) {
            return false;
        }
        try {
            return entries.contains(fields.target())
                    || codec.fields(line).get("by") instanceof String by && entries.contains(by);
        } catch (MalformedLineException e) {
            return false;
        }
    }

    private @Nullable IndexedFields fields(Entry.Kind kind, byte[] buffer, int start, int length) {
        try {
            return codec.indexedFields(kind, buffer, start, length);
        } catch (MalformedLineException e) {
            return null;
        }
    }

    /** Erases them from every log file in a folder and below. */
    void fromFolder(Path folder) throws IOException {
        for (Path file : files.list(folder)) {
            String name = String.valueOf(file.getFileName());
            if (name.endsWith(".jsonl") || name.endsWith(".ndjson")) {
                fromFile(file);
            } else {
                fromFolder(file);
            }
        }
        // An earlier erasure may have ended between a rename and its fsync.
        files.syncFolder(folder);
    }

    private void fromFile(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".purging");
        files.delete(temporary);
        boolean[] gone = {false};
        boolean written = false;
        try (FileSystem.Output appender = files.append(temporary)) {
            BufferedAppender out = new BufferedAppender(appender);
            LogFile.readAll(files, file, lineBytes, new LineSink() {
                @Override
                public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                    byte[] line = Arrays.copyOfRange(buffer, start, start + length);
                    if (goes(fields(BackupRestore.kind(file), buffer, start, length), line)) {
                        gone[0] = true;
                        return true;
                    }
                    try {
                        out.write(line);
                        out.write('\n');
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return true;
                }

                @Override
                public void malformed(long offset, long length, String reason) {
                    gone[0] = true; // too long to be read, so it is removed unseen
                }
            });
            out.flush();
            appender.force();
            written = true;
        } finally {
            if (!written || !gone[0]) {
                files.delete(temporary);
            }
        }
        if (gone[0]) {
            files.move(temporary, file);
        }
    }
}
