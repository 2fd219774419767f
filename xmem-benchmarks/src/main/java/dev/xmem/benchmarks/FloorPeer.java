package dev.xmem.benchmarks;

import dev.xmem.Entry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lower bound for an engine on plain files. An append encodes the entry, takes the file lock, checks the length
 * of the log, writes the bytes in one call and releases the lock; it maintains no index. A recall knows the offsets
 * of the lines, reads each line from the file and parses it.
 */
final class FloorPeer implements Peer {
    private final Path folder;
    private final IdGenerator ids;
    private final LineWriter writer = new LineWriter();
    private final LineParser parser = new LineParser();
    private final FileChannel lockFile;
    private final Log failures;
    private final Log successes;

    FloorPeer(Path folder, InstantSource clock) throws IOException {
        this.folder = folder;
        this.ids = new IdGenerator(clock);
        this.lockFile = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        this.failures = new Log(LogFiles.of(folder, Entry.Kind.FAILURE));
        this.successes = new Log(LogFiles.of(folder, Entry.Kind.SUCCESS));
    }

    /** A log and the offsets of its lines by context hash. */
    private final class Log {
        private final Path path;
        private final FileChannel out;
        private final RandomAccessFile in;
        private final Map<String, List<long[]>> offsets = new HashMap<>();
        private long expectedLength;

        Log(Path path) throws IOException {
            this.path = path;
            this.out = FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
            this.in = new RandomAccessFile(path.toFile(), "r");
            this.expectedLength = Files.size(path);
        }

        /** Scans the log before the first recall. */
        private void indexOffsets() throws IOException {
            long at = 0;
            try (BufferedReader lines = Files.newBufferedReader(path)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
                    String hash = (String) parser.fields(bytes).getOrDefault("ctx_hash", "");
                    offsets.computeIfAbsent(hash, key -> new ArrayList<>()).add(new long[] {at, bytes.length});
                    at += bytes.length + 1;
                }
            }
        }

        void append(byte[] bytes, int length) throws IOException {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            if (now.size() != expectedLength) {
                throw new IOException("another process writes to " + path);
            }
            expectedLength += out.write(ByteBuffer.wrap(bytes, 0, length));
        }

        List<Map<String, Object>> newest(String ctxHash) throws IOException {
            if (offsets.isEmpty()) {
                indexOffsets();
            }
            List<long[]> all = offsets.getOrDefault(ctxHash, List.of());
            List<Map<String, Object>> newest = new ArrayList<>();
            for (int i = all.size() - 1; i >= Math.max(0, all.size() - PAGE); i--) {
                byte[] line = new byte[(int) all.get(i)[1]];
                in.seek(all.get(i)[0]);
                in.readFully(line);
                newest.add(parser.fields(line));
            }
            return newest;
        }

        void close() throws IOException {
            out.close();
            in.close();
        }
    }

    @Override
    public String append(CorpusEntry entry) throws IOException {
        String id = ids.next();
        writer.write(entry, id, ids.ts());
        FileLock lock = lockFile.tryLock();
        if (lock == null) {
            throw new IOException("another process holds the lock");
        }
        try {
            (entry.kind() == Entry.Kind.FAILURE ? failures : successes).append(writer.bytes(), writer.length());
        } finally {
            lock.release();
        }
        return id;
    }

    @Override
    public List<String> page(String ctxHash) throws IOException {
        List<Map<String, Object>> newest = new ArrayList<>(failures.newest(ctxHash));
        newest.addAll(successes.newest(ctxHash));
        newest.sort(Comparator.comparing(FloorPeer::ts).reversed());
        return ids(newest.subList(0, Math.min(PAGE, newest.size())));
    }

    @Override
    public List<String> advice(CorpusEntry entry) throws IOException {
        List<Map<String, Object>> found = failures.newest(entry.hash().value());
        String subject = entry.hash().subject();
        found.sort(Comparator.comparing(fields -> !subject.equals(fields.get("subject"))));
        found.addAll(successes.newest(entry.hash().value()));
        return ids(found);
    }

    private static String ts(Map<String, Object> fields) {
        return (String) fields.getOrDefault("ts", "");
    }

    private static List<String> ids(List<Map<String, Object>> found) {
        return found.stream()
                .map(fields -> (String) fields.getOrDefault("id", ""))
                .toList();
    }

    @Override
    public List<String> lastLines(Entry.Kind kind, int lines) throws IOException {
        return LogFiles.last(folder, kind, lines);
    }

    @Override
    public void close() throws IOException {
        failures.close();
        successes.close();
        lockFile.close();
    }
}
