package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The files of the X-MEM protocol made from a store: one file per kind with the own lines, the archived ones and those
 * of other replicas. Lines that are already in the files stay, since they may be of stores that this one does not know;
 * lines that this store contributed before and does not have now are removed. Private lines are left out. The bytes
 * depend only on the set of lines, so equal sets give equal files on all machines. Immutable after construction.
 */
public final class MergedExport {
    private static final List<String> STREAMS = List.of("failures", "successes", "memories", "notes");
    private static final String NO_REPLICA = "0".repeat(32);

    private final PrivateLines privateLines;
    private final Map<String, Merge> merges = new LinkedHashMap<>();

    /** The lines of one file: those of the store, those of the file before, and the result. */
    private record Merge(CanonicalLines own, CanonicalLines before, CanonicalLines after) {
        Merge(String stream) {
            this(new CanonicalLines(stream), new CanonicalLines(stream), new CanonicalLines(stream));
        }
    }

    /**
     * Merges the lines of a store into files.
     *
     * @param current the current files by name
     * @param additional further lines to keep, by file name
     * @param contributed the {@link #contribution} of the store to the current files; empty if there was none
     */
    public MergedExport(
            FileSystem fileSystem,
            SyncPaths store,
            Map<String, byte[]> current,
            Map<String, byte[]> additional,
            byte[] contributed)
            throws IOException {
        this.privateLines = new PrivateLines();
        if (fileSystem.exists(store.privateMark())) {
            throw new FileSystemException(
                    store.privateMark().toString(), null, "marks the store as private; nothing is exported");
        }
        for (String stream : STREAMS) {
            merges.put(stream, new Merge(stream));
        }
        // A compaction moves lines from a log to its archive, so the log is read first.
        for (Map.Entry<String, Path> log : store.own(fileSystem).entrySet()) {
            read(fileSystem, log.getKey(), log.getValue());
        }
        for (Map.Entry<Stream, Path> log : store.peers(fileSystem).entrySet()) {
            read(fileSystem, log.getKey().name(), log.getValue());
        }
        Set<String> removed = new HashSet<>(List.of(new String(contributed, StandardCharsets.US_ASCII).split("\n")));
        merges.values().forEach(merge -> removed.removeAll(merge.own.digests()));
        merges.forEach((stream, merge) -> {
            merge.before.addAll(current.getOrDefault(file(stream), new byte[0]));
            CanonicalLines kept = new CanonicalLines(stream);
            kept.addAll(additional.getOrDefault(file(stream), new byte[0]));
            merge.after.addAll(merge.own, Set.of());
            merge.after.addAll(merge.before, removed);
            merge.after.addAll(kept, removed);
        });
    }

    private void read(FileSystem fileSystem, String stream, Path file) throws IOException {
        FileSystem.Stat stat = fileSystem.stat(file);
        Merge merge = merges.get(StreamImporter.base(stream));
        long at = 0;
        while (stat != null && merge != null && at < stat.length()) {
            byte[] lines = JsonLinesFile.lines(fileSystem, file, at, stat.length(), 1 << 20);
            if (lines.length == 0) {
                break;
            }
            merge.own.addAll(privateLines.blanked(stream, lines));
            at += lines.length;
        }
    }

    private static String file(String stream) {
        return stream + SyncPaths.ending(stream);
    }

    /**
     * The files by name. An empty file is omitted, except those of failures and successes.
     *
     * @param existing the names of files that are included even if they are empty
     */
    public Map<String, byte[]> files(Set<String> existing) {
        Map<String, byte[]> files = new TreeMap<>();
        merges.forEach((stream, merge) -> {
            byte[] bytes = merge.after.without(Set.of());
            boolean required = stream.equals("failures") || stream.equals("successes");
            if (required || bytes.length > 0 || existing.contains(file(stream))) {
                files.put(file(stream), bytes);
            }
        });
        return files;
    }

    /** The digests of the lines that this store has, one per line, to be passed to the next export. */
    public byte[] contribution() {
        Set<String> digests = new TreeSet<>();
        merges.values().forEach(merge -> digests.addAll(merge.own.digests()));
        return (String.join("\n", digests) + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** The message of a commit that changes the current files into the merged ones. */
    public String summary() {
        List<Chunk> added = new ArrayList<>();
        List<Chunk> shrunk = new ArrayList<>();
        merges.forEach((stream, merge) -> {
            byte[] lines = merge.after.without(merge.before.digests());
            Chunk chunk = Chunk.of(new Stream(NO_REPLICA, stream), 1, 0, lines);
            if (lines.length > 0) {
                added.add(chunk);
            } else if (!merge.after.digests().containsAll(merge.before.digests())) {
                shrunk.add(chunk);
            }
        });
        return added.isEmpty() && shrunk.isEmpty()
                ? "X-MEM: Rewrite index"
                : CommitMessage.of(added.isEmpty() ? shrunk : added);
    }
}
