package dev.xmem.core.maintain.compact;

import dev.xmem.Entry;
import dev.xmem.XMemException;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.base.json.LineBuffer;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.Schema;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.log.LineSink;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Erases entries: their lines, the lines that cover them, and the outcomes and amendments about them. A success that
 * answers one of them stays, without the reference. Used once.
 */
final class Eraser {
    private final FileSystem files;
    private final Compactor compactor;
    private final int lineBytes;
    private final Set<String> ids;
    /** The ids, as lines name them, that no entry has after the erasure. */
    private final Set<String> gone = new HashSet<>();
    /** What the erased entries were merged from: a backup may have those lines. */
    private final Set<String> merged = new HashSet<>();
    /** The digests of the lines of the log at hand that lost a reference. */
    private final Set<Long> unlinked = new HashSet<>();

    Eraser(FileSystem files, Compactor compactor, int lineBytes, Set<String> ids) {
        this.files = files;
        this.compactor = compactor;
        this.lineBytes = lineBytes;
        this.ids = new HashSet<>(ids);
    }

    /** Refuses ids of other replicas' entries: the replica has the log, and would send the entry again. */
    void requireOwn(LogRegistry registry) throws IOException {
        for (LogSnapshot log : registry.whole().logs()) {
            for (String id : ids) {
                int at = id.indexOf('@');
                if (at > 0 && log.index().isOf(id.substring(at + 1))) {
                    throw new XMemException.Invalid(
                            "ids",
                            "has " + id + ", an entry of another replica, which only that replica can erase."
                                    + " Purge it there, or dismiss it here: it is then hidden for good.");
                }
            }
        }
    }

    /** Erases them from the store's own logs; returns the number of lines removed. */
    int fromLogs(LogRegistry registry) throws IOException {
        return compactor.alone(() -> {
            List<LogIndex> own = new ArrayList<>(registry.whole().logs().stream()
                    .map(LogSnapshot::index)
                    .filter(log -> log.origin().own())
                    .toList());
            gone.addAll(entriesThatGo(own));
            // What refers to an entry goes first: if the process dies in between, no reference is left without a
            // target.
            own.sort(Comparator.comparing(log -> log.kind() == Entry.Kind.FAILURE));
            int lines = 0;
            for (LogIndex log : own) {
                unlinked.clear();
                LogPlan plan = LogPlan.of(log, line -> change(log, line));
                if (!plan.changes().isEmpty()) {
                    compactor.rewrite(plan, null);
                    lines += (int)
                            plan.changes().stream().filter(LineChange::leaves).count();
                }
            }
            return lines;
        });
    }

    private @Nullable LineChange change(LogIndex log, LogPlan.PlannedLine line) {
        IndexedFields fields = fields(log.kind(), line.buffer(), line.start(), line.length());
        if (goes(log, line, fields) || isAbout(gone, fields, line.bytes())) {
            return line.leaves(LineChange.Why.PURGED, "it is to be erased");
        }
        byte[] left = unlinked(fields, line.bytes());
        if (left == null) {
            return null;
        }
        if (log.withBytes(left) >= 0 || !unlinked.add(LogIndex.digestOf(left))) {
            return line.leaves(LineChange.Why.PURGED, "without the entry that it answers it is the same as another");
        }
        return new LineChange(
                line.offset(),
                line.length(),
                line.ordinal(),
                LineChange.Why.UNLINKED,
                Replacement.of(left),
                () -> "an entry that it answers is to be erased");
    }

    /** The line without the answers to erased entries; null if it has none. */
    private byte @Nullable [] unlinked(@Nullable IndexedFields fields, byte[] line) {
        if (fields == null || fields.answers().stream().noneMatch(this::isGone)) {
            return null;
        }
        try {
            Map<String, @Nullable Object> all = new LinkedHashMap<>(LineCodec.fields(line));
            List<String> left =
                    fields.answers().stream().filter(id -> !isGone(id)).toList();
            all.put("answers", left.isEmpty() ? null : left);
            LineBuffer out = new LineBuffer();
            LineCodec.write(Schema.of(Entry.Kind.SUCCESS), all, out);
            return Arrays.copyOf(out.array(), out.length() - 1);
        } catch (MalformedLineException e) {
            return null;
        }
    }

    /** Whether a reference leads to an erased entry; it may name the line by a digest. */
    private boolean isGone(String reference) {
        int digest = reference.indexOf('~');
        return ids.contains(reference) || gone.contains(digest < 0 ? reference : reference.substring(0, digest));
    }

    /** The ids for which a line that goes stands, and no line that stays: outcomes and amendments about them go too. */
    private Set<String> entriesThatGo(List<LogIndex> own) throws IOException {
        Set<String> going = new HashSet<>();
        Set<String> stay = new HashSet<>();
        for (LogIndex log : own) {
            LogPlan.of(log, line -> {
                IndexedFields fields = fields(log.kind(), line.buffer(), line.start(), line.length());
                if (fields != null && fields.target() == null) {
                    if (fields.id() != null && ids.contains(fields.id())) {
                        merged.addAll(fields.covers());
                    }
                    (goes(log, line, fields) ? going : stay).addAll(named(fields));
                }
                return null;
            });
        }
        going.removeAll(stay);
        return going;
    }

    private boolean goes(LogIndex log, LogPlan.PlannedLine line, @Nullable IndexedFields fields) {
        return line.ordinal() >= 0 && ids.contains(log.id(line.ordinal())) || goes(fields, line.bytes());
    }

    /**
     * Whether a line has one of the ids, covers one or is about one; a malformed line, whether it contains one as text.
     * An id that was made from the bytes of a line finds that line where no index has it: repeated, or in a backup.
     */
    private boolean goes(@Nullable IndexedFields fields, byte[] line) {
        if (fields == null) {
            String text = new String(line, StandardCharsets.UTF_8);
            return ids.stream().anyMatch(text::contains);
        }
        return named(fields).stream().anyMatch(ids::contains)
                || ids.contains(LogIndex.idOf(fields.kind(), fields.id(), line))
                || isAbout(ids, fields, line);
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
                    || LineCodec.fields(line).get("by") instanceof String by && entries.contains(by);
        } catch (MalformedLineException e) {
            return false;
        }
    }

    private @Nullable IndexedFields fields(Entry.Kind kind, byte[] buffer, int start, int length) {
        try {
            return LineCodec.indexedFields(kind, buffer, start, length);
        } catch (MalformedLineException e) {
            return null;
        }
    }

    /**
     * Erases them from all backups, and what they were merged from, unless another entry has it too. Call it after
     * {@link #fromLogs}. Returns the number of lines removed.
     */
    int fromBackups(Path folder) throws IOException {
        merged.retainAll(gone);
        ids.addAll(merged);
        return fromFolder(folder);
    }

    /** Erases them from every log file in a folder and below; returns the number of lines removed. */
    int fromFolder(Path folder) throws IOException {
        int lines = 0;
        for (Path file : files.list(folder)) {
            String name = String.valueOf(file.getFileName());
            lines += name.endsWith(".jsonl") || name.endsWith(".ndjson") ? fromFile(file) : fromFolder(file);
        }
        // An earlier erasure may have ended between a rename and its fsync.
        files.syncFolder(folder);
        return lines;
    }

    private int fromFile(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".purging");
        files.delete(temporary);
        boolean[] changed = {false};
        int[] lines = {0};
        boolean written = false;
        try (FileSystem.Output appender = files.append(temporary)) {
            BufferedAppender out = new BufferedAppender(appender);
            LogFile.readAll(files, file, lineBytes, new LineSink() {
                @Override
                public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                    byte[] line = Arrays.copyOfRange(buffer, start, start + length);
                    IndexedFields fields = fields(BackupRestore.kind(file), buffer, start, length);
                    boolean goes = goes(fields, line);
                    byte[] unlinked = goes ? null : unlinked(fields, line);
                    changed[0] |= goes || unlinked != null;
                    if (goes) {
                        lines[0]++;
                        return true;
                    }
                    try {
                        out.write(unlinked == null ? line : unlinked);
                        out.write('\n');
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return true;
                }

                @Override
                public void malformed(long offset, long length, String reason) {
                    lines[0]++;
                    changed[0] = true; // too long to be read, so it is removed unseen
                }
            });
            out.flush();
            appender.force();
            written = true;
        } finally {
            if (!written || !changed[0]) {
                files.delete(temporary);
            }
        }
        if (changed[0]) {
            files.move(temporary, file);
        }
        return lines[0];
    }
}
