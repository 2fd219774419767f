package dev.xmem.core;

import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.InMemoryFileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.sync.MergedExport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A store as the files of the X-MEM protocol, for a repository that tracks them: {@code failures.jsonl}, {@code
 * successes.jsonl}, {@code memories.ndjson}, {@code notes.jsonl} and {@code index.json}. They contain the store's own
 * lines, archived ones included, and those of peers, each once. The order depends on the lines alone, so that two
 * stores with the same lines export the same bytes. Immutable and thread-safe.
 *
 * <p>Lines that are in such files already stay: they may come from machines whose lines this store does not have. Lines
 * that this store contributed earlier and no longer has, because they were compacted or purged, are removed. Conflict
 * markers of a merge are removed. Other lines that are not entries stay, at the end.
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
     * Exports the store in a folder, whose logs have their default paths. The store may be open and be written to;
     * lines that are being appended are in the next export.
     *
     * @param store the store's folder
     * @param there the current files by their names; others are ignored
     * @param also files with further lines that are to stay
     * @param before {@link #contribution} of the last export to this place; empty if there is none
     * @throws IOException if the store cannot be read
     */
    public static ExportFiles of(Path store, Map<String, byte[]> there, Map<String, byte[]> also, byte[] before)
            throws IOException {
        Objects.requireNonNull(there, "there");
        Objects.requireNonNull(also, "also");
        Objects.requireNonNull(before, "before");
        Path root = Objects.requireNonNull(store, "store").toAbsolutePath().normalize();
        FileSystem fileSystem = new NativeFileSystem().within(root);
        StorePaths paths = StorePaths.of(root, Map.of());
        for (Path log : paths.logs().values()) {
            fileSystem.confine(root, log);
        }
        MergedExport export = new MergedExport(fileSystem, paths.sync(), there, also, before);
        Map<String, byte[]> files = new TreeMap<>(export.files(there.keySet()));
        files.put(INDEX, index(files));
        return new ExportFiles(files, export.contribution(), export.summary());
    }

    /** The index that a store with these logs writes. */
    private static byte[] index(Map<String, byte[]> logs) throws IOException {
        InMemoryFileSystem memory = new InMemoryFileSystem();
        StorePaths paths = StorePaths.of(Path.of("view").toAbsolutePath(), Map.of());
        logs.forEach((name, bytes) -> memory.replace(paths.data().resolve(name), bytes));
        try (DefaultStore store = (DefaultStore) new XMem.Builder(paths.root(), memory).open()) {
            store.writeIndex();
        }
        FileSystem.Stat stat = memory.stat(paths.index());
        return memory.read(paths.index(), 0, stat == null ? 0 : (int) stat.length());
    }

    /** The files by their names, including the index. Not copies. */
    public Map<String, byte[]> files() {
        return Map.copyOf(files);
    }

    /** What this store contributes to the files: opaque, to be passed to the next export. Not a copy. */
    public byte[] contribution() {
        return contribution;
    }

    /**
     * The change from the current files as one line, in the form of the protocol's commit messages: {@code X-MEM:
     * Record failure 2026-02-14-003 (rclone sync)}, or a number of entries.
     */
    public String message() {
        return message;
    }
}
