package dev.xmem.core.sync;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A folder that all machines see: {@code xmem-v1/<replica>/<stream>.<generation>.jsonl}, each file written by its owner
 * alone. There is no lock in it, so it may be a synchronised drive: a file that arrives in parts is read as far as its lines
 * are whole, one that arrives late is there late, and what a drive saves beside it as a conflict copy is read as a further
 * stream. Nothing but plain files is read.
 */
public final class DirectorySync implements SyncBackend {
    private static final String RETIRED = "retired";
    private static final long MOST_BYTES = 64L << 20;

    private final FileSystem disk;
    private final Path root;

    /** A folder, which is made by the first publication. */
    public DirectorySync(FileSystem disk, Path folder) {
        this.disk = disk;
        this.root = folder.resolve("xmem-v1");
    }

    @Override
    public String id() {
        return "directory";
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of(Ability.ERASE, Ability.RETIRE);
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        Path folder = root.resolve(own.replica());
        if (disk.exists(folder.resolve(RETIRED))) {
            return Ack.retired();
        }
        Map<String, SharedFile> there = SharedFile.newest(disk.list(folder));
        for (Chunk chunk : own.chunks()) {
            if (!chunk.follows(head(there.get(chunk.stream().name())))) {
                return Ack.refused();
            }
        }
        disk.createFolders(folder);
        for (Chunk chunk : own.chunks()) {
            write(folder, chunk);
        }
        return Ack.accepted();
    }

    private Head head(@Nullable SharedFile file) throws IOException {
        FileSystem.Stat stat = file == null ? null : disk.stat(file.path());
        return file == null || stat == null ? Head.NONE : new Head(file.generation(), stat.length());
    }

    private void write(Path folder, Chunk chunk) throws IOException {
        String stream = chunk.stream().name();
        Path file = folder.resolve(SharedFile.name(stream, chunk.generation()));
        disk.confine(root, file);
        if (chunk.from() > 0) {
            try (FileSystem.Output out = disk.append(file)) {
                out.write(chunk.bytes(), 0, chunk.bytes().length);
            }
            return;
        }
        disk.replace(file, chunk.bytes());
        for (Path other : disk.list(folder)) {
            SharedFile older = SharedFile.of(other);
            if (older != null && older.stream().equals(stream) && older.generation() < chunk.generation()) {
                disk.delete(other);
            }
        }
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        Collected found = new Collected(known, maxBytes, System.nanoTime() + limit.toNanos());
        for (Path folder : disk.list(root)) {
            String replica = String.valueOf(folder.getFileName());
            if (Stream.isReplica(replica)) {
                collect(replica, folder, found);
            }
        }
        return Batch.of(found.chunks, found.refused, found.more);
    }

    /** What one poll found so far. */
    private static final class Collected {
        private final Map<Stream, Head> known;
        private final long deadline;
        private final List<Chunk> chunks = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();
        private long left;
        private boolean more;

        Collected(Map<Stream, Head> known, long left, long deadline) {
            this.known = known;
            this.left = left;
            this.deadline = deadline;
        }

        boolean isFull() {
            more |= left <= 0 || deadline - System.nanoTime() < 0;
            return more;
        }

        void add(Chunk chunk) {
            chunks.add(chunk);
            left -= chunk.bytes().length;
        }
    }

    private void collect(String replica, Path folder, Collected found) {
        Map<Stream, SharedFile> streams = new TreeMap<>((a, b) -> a.name().compareTo(b.name()));
        try {
            List<Path> files = disk.list(folder);
            SharedFile.newest(files).forEach((name, file) -> streams.put(new Stream(replica, name), file));
            SharedFile.copies(files).forEach((name, file) -> streams.put(new Stream(replica, name), file));
        } catch (IOException e) {
            found.refused.add(replica.substring(0, 8) + " cannot be read");
            return;
        }
        for (Map.Entry<Stream, SharedFile> stream : streams.entrySet()) {
            try {
                collect(stream.getKey(), stream.getValue(), found);
            } catch (IOException e) {
                if (isThere(stream.getValue())) {
                    found.refused.add(label(stream.getKey(), stream.getValue()) + " cannot be read");
                }
            }
        }
        found.known.forEach((stream, head) -> {
            boolean copy = stream.replica().equals(replica) && SharedFile.isCopy(stream.name());
            if (copy && !streams.containsKey(stream) && head.position() > 0) {
                found.add(Chunk.of(stream, head.generation() + 1, 0, new byte[0]));
            }
        });
    }

    private void collect(Stream stream, SharedFile file, Collected found) throws IOException {
        FileSystem.Stat stat = disk.stat(file.path());
        Head known = found.known.getOrDefault(stream, Head.NONE);
        boolean anew = file.generation() > known.generation();
        boolean behind = stat != null && file.generation() == known.generation() && stat.length() > known.position();
        if (stat == null || !anew && !behind) {
            return;
        }
        if (!disk.isPlain(file.path())) {
            found.refused.add(label(stream, file) + " is no plain file");
            return;
        }
        disk.confine(root, file.path());
        if (found.isFull()) {
            return;
        }
        long from = anew ? 0 : known.position();
        long most = Math.min(found.left, MOST_BYTES);
        byte[] lines = JsonLinesFile.lines(disk, file.path(), from, stat.length(), most);
        if (lines.length > 0 || anew && stat.length() == 0) {
            found.add(Chunk.of(stream, file.generation(), from, lines));
            found.more |= most < stat.length() - from;
        }
    }

    /** One that its owner has replaced since the folder was listed is not: the next poll sees the newer one. */
    private boolean isThere(SharedFile file) {
        try {
            return disk.exists(file.path());
        } catch (IOException e) {
            return true;
        }
    }

    private static String label(Stream stream, SharedFile file) {
        return stream.replica().substring(0, 8) + "/" + file.stream() + "." + file.generation();
    }

    @Override
    public void retire(String replica, Duration limit) throws IOException {
        Path folder = root.resolve(new Stream(replica, "notes").replica());
        disk.createFolders(folder);
        disk.replace(folder.resolve(RETIRED), "\n".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        // nothing is kept open
    }
}
