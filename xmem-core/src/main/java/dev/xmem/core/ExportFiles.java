package dev.xmem.core;

import dev.xmem.XMemStore;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.sync.MergedExport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * A store as the seed's files, for a repository that tracks them: {@code failures.jsonl}, {@code successes.jsonl}, {@code
 * memories.ndjson}, {@code notes.jsonl} and {@code index.json}. A view: one's own lines, archived ones and what others
 * published, each once and in an order that the lines alone decide, so that whoever has the same lines makes the same
 * bytes. Immutable and thread-safe.
 *
 * <p>What stands in such files already stays, since it may be of machines whose lines this store does not have. What this
 * store contributed before and has no more (it was compacted, or purged) goes. Marks of a merge by hand go; other lines that
 * are no entries stay, at the end.
 */
public final class ExportFiles {
    private static final String INDEX = "index.json";

    private final Map<String, byte[]> files;
    private final byte[] contribution;
    private final String message;

    private ExportFiles(Map<String, byte[]> files, byte[] contribution, String message) {
        this.files = files;
        this.contribution = contribution;
        this.message = message;
    }

    /**
     * The files of the store in a folder, whose logs are in their default places. It may be open, and be written to; lines
     * that are being appended come next time.
     *
     * @param store the store's folder
     * @param there the files as they are, by their names; others are ignored
     * @param also further lines that are to stay, in such files
     * @param before {@link #contribution} of the files that the store made last for this place; empty if it made none
     * @throws IOException if the store cannot be read
     */
    public static ExportFiles of(Path store, Map<String, byte[]> there, Map<String, byte[]> also, byte[] before)
            throws IOException {
        Path root = store.toAbsolutePath().normalize();
        FileSystem disk = new NativeFileSystem().within(root);
        StorePaths places = StorePaths.of(root, Map.of());
        for (Path log : places.logs().values()) {
            disk.confine(root, log);
        }
        MergedExport view = new MergedExport(disk, new LineCodec(), places.sync(), there, also, before);
        Map<String, byte[]> files = new TreeMap<>(view.files(there.keySet()));
        files.put(INDEX, index(files));
        return new ExportFiles(files, view.contribution(), view.summary());
    }

    /** As a store with these logs makes it. */
    private static byte[] index(Map<String, byte[]> logs) throws IOException {
        InMemoryFileSystem heap = new InMemoryFileSystem();
        StorePaths places = StorePaths.of(Path.of("view").toAbsolutePath(), Map.of());
        logs.forEach((name, bytes) -> heap.replace(places.data().resolve(name), bytes));
        try (XMemStore store = new XMem.Builder(places.root(), heap).open()) {
            store.flush();
        }
        FileSystem.Stat stat = heap.stat(places.index());
        byte[] index = new byte[stat == null ? 0 : (int) stat.length()];
        try (FileSystem.Input source = heap.open(places.index())) {
            source.read(0, index, 0, index.length);
        }
        return index;
    }

    /** The files by their names, the index among them. Not copies. */
    public Map<String, byte[]> files() {
        return Map.copyOf(files);
    }

    /** What this store contributes to them: opaque, to be kept for the next time. Not a copy. */
    public byte[] contribution() {
        return contribution;
    }

    /**
     * What changes from the files as they were, on one line, as the seed's commits say it: {@code X-MEM: Record failure
     * 2026-02-14-003 (rclone sync)}, or a number of entries.
     */
    public String message() {
        return message;
    }
}
