package dev.xmem.transcripts;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What was imported into a store: {@code .xmem/imports.jsonl} has a line for each file, with its size, and the digests
 * of the calls that were recorded. Lines are added, and folded when many are out of date. One process writes it at a
 * time. Decision: docs/adr/0067-what-was-imported.md.
 */
final class ImportLog implements Closeable {
    private static final String NAME = "imports.jsonl";
    private static final int BATCH = 256;
    private static final int OUT_OF_DATE = 10_000;

    private final @Nullable Path path;
    private final @Nullable LockedFile lock;
    private final LongSet calls = new LongSet();
    private final List<String> keys = new ArrayList<>();
    private final Map<String, Read> files = new HashMap<>();
    private final List<String> unwritten = new ArrayList<>();
    private int outOfDate;

    /**
     * How far a file was read.
     *
     * @param size its size then
     * @param modified when it had been changed last, in milliseconds since 1970
     */
    record Read(long size, long modified) {
        static Read of(Path file) throws IOException {
            return new Read(Files.size(file), Files.getLastModifiedTime(file).toMillis());
        }
    }

    private ImportLog(@Nullable Path path, @Nullable LockedFile lock) {
        this.path = path;
        this.lock = lock;
    }

    /** A log that is not kept. */
    static ImportLog none() {
        return new ImportLog(null, null);
    }

    /** Reads the log in a folder, if there is one; what is added is not kept. */
    static ImportLog readOnly(@Nullable Path folder) throws IOException {
        ImportLog log = none();
        if (folder != null) {
            log.read(folder.resolve(NAME));
        }
        return log;
    }

    /** Opens the log in a folder, which is created if it is missing; null if another import has it open. */
    static @Nullable ImportLog open(Path folder) throws IOException {
        Files.createDirectories(folder);
        LockedFile lock = LockedFile.tryLock(folder.resolve("imports.lock"));
        if (lock == null) {
            return null;
        }
        ImportLog log = new ImportLog(folder.resolve(NAME), lock);
        try {
            log.read(folder.resolve(NAME));
            return log;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private void read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        try (InputStream in = Files.newInputStream(file);
                JsonLines lines = new JsonLines(in, new ReadCounts())) {
            for (Map<String, Object> line = lines.next(Set.of()); line != null; line = lines.next(Set.of())) {
                if (line.get("size") instanceof Long size && line.get("modified") instanceof Long modified) {
                    put(JsonTree.text(line, "file"), new Read(size, modified));
                }
                for (Object key : JsonTree.array(line, "calls")) {
                    keep(String.valueOf(key));
                }
            }
        }
    }

    private void put(String file, Read read) {
        outOfDate += files.put(file, read) == null ? 0 : 1;
    }

    private void keep(String key) {
        if (key.matches("[0-9a-f]{16}") && calls.add(Long.parseUnsignedLong(key, 16))) {
            keys.add(key);
        }
    }

    /** How far a file was read; null if it was not. */
    @Nullable Read read(TranscriptFile file) {
        return files.get(name(file));
    }

    /** Whether a call was recorded. */
    boolean has(long call) {
        return calls.contains(call);
    }

    /** Notes that a call was recorded. */
    void add(long call) throws IOException {
        if (calls.add(call)) {
            unwritten.add(String.format("%016x", call));
        }
        if (unwritten.size() >= BATCH) {
            write();
        }
    }

    /** Notes that a file was read to its end, as it was before. */
    void add(TranscriptFile file, Read read) throws IOException {
        write();
        put(name(file), read);
        append(line(name(file), read));
    }

    private static String name(TranscriptFile file) {
        return file.path().toAbsolutePath().normalize().toString();
    }

    private static String line(String file, Read read) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("file", file);
        members.put("size", read.size);
        members.put("modified", read.modified);
        return JsonTree.json(members) + '\n';
    }

    /** Writes the calls that were noted. */
    void write() throws IOException {
        if (!unwritten.isEmpty()) {
            append(JsonTree.json(Map.of("calls", unwritten)) + '\n');
            keys.addAll(unwritten);
            unwritten.clear();
        }
    }

    private void append(String line) throws IOException {
        if (path != null) {
            write(path, line, StandardOpenOption.APPEND);
        }
    }

    /** One write for each text, so that a process that ends leaves whole lines. */
    private static void write(Path file, String text, StandardOpenOption how) throws IOException {
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
        try (FileChannel out = FileChannel.open(file, options, PrivateFiles.attributes(file))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    private void fold(Path file) throws IOException {
        StringBuilder text = new StringBuilder();
        files.forEach((name, read) -> text.append(line(name, read)));
        for (int from = 0; from < keys.size(); from += BATCH) {
            List<String> some = keys.subList(from, Math.min(keys.size(), from + BATCH));
            text.append(JsonTree.json(Map.of("calls", some))).append('\n');
        }
        Path next = file.resolveSibling(NAME + ".new");
        write(next, text.toString(), StandardOpenOption.TRUNCATE_EXISTING);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        try {
            write();
            if (path != null && outOfDate > OUT_OF_DATE) {
                fold(path);
            }
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }
}
