package dev.xmem.core.sync;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The backend for a folder that all machines share: {@code xmem-v1/<replica>/<stream>.<generation>.jsonl}. Only its
 * owner writes a file. The folder has no lock, so it may be a synchronised drive: of a file that arrives in parts the
 * complete lines are read, and a conflict copy that the drive saves is read as another stream. Only regular files are
 * read.
 */
public final class DirectorySync implements SyncBackend {
    private static final String RETIRED = "retired";
    private static final long MAX_CHUNK_BYTES = 64L << 20;

    /** Begins the value of a file in {@link #unread} that is too large to be a line that is being written. */
    static final String LARGE = "large ";

    private static final long LARGE_BYTES = 1 << 20;
    private static final int MAX_UNREAD = 4096;

    private final FileSystem fileSystem;
    private final Path root;
    private Map<Stream, String> unread = new HashMap<>();

    /** The first publication creates the folder. */
    public DirectorySync(FileSystem fileSystem, Path folder) {
        this.fileSystem = fileSystem;
        this.root = folder.resolve("xmem-v1");
    }

    /**
     * Sets the map of the files in which no line ended when they were read, which are read again when they change: the
     * state of each file, without quotes. Polls change it; the caller keeps it between processes.
     */
    void unread(Map<Stream, String> known) {
        unread = known;
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
        if (fileSystem.exists(folder.resolve(RETIRED))) {
            return Ack.retired();
        }
        Map<String, SharedFile> existing = SharedFile.newest(fileSystem.list(folder));
        for (Chunk chunk : own.chunks()) {
            if (!chunk.follows(head(existing.get(chunk.stream().name())))) {
                return Ack.refused();
            }
        }
        fileSystem.createFolders(folder);
        for (Chunk chunk : own.chunks()) {
            write(folder, chunk);
        }
        return Ack.accepted();
    }

    private Head head(@Nullable SharedFile file) throws IOException {
        FileSystem.Stat stat = file == null ? null : fileSystem.stat(file.path());
        return file == null || stat == null ? Head.NONE : new Head(file.generation(), stat.length());
    }

    private void write(Path folder, Chunk chunk) throws IOException {
        String stream = chunk.stream().name();
        Path file = folder.resolve(SharedFile.name(stream, chunk.generation()));
        fileSystem.confine(root, file);
        if (chunk.from() > 0) {
            try (FileSystem.Output out = fileSystem.append(file)) {
                out.write(chunk.bytes(), 0, chunk.bytes().length);
            }
            return;
        }
        fileSystem.replace(file, chunk.bytes());
        for (Path path : fileSystem.list(folder)) {
            SharedFile older = SharedFile.of(path);
            if (older != null && older.stream().equals(stream) && older.generation() < chunk.generation()) {
                fileSystem.delete(path);
            }
        }
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        StagedBatch batch = new StagedBatch(known, maxBytes, System.nanoTime() + limit.toNanos());
        for (Path folder : fileSystem.list(root)) {
            String replica = String.valueOf(folder.getFileName());
            if (Stream.isReplica(replica)) {
                collect(replica, folder, batch);
            }
        }
        unread.keySet().retainAll(batch.listed);
        return Batch.of(batch.chunks, batch.refused, batch.more);
    }

    /** The batch that a poll collects. */
    private static final class StagedBatch {
        private final Map<Stream, Head> known;
        private final long deadline;
        private final List<Chunk> chunks = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();
        /** The streams that are there, as in {@link #unread}. */
        private final Set<Stream> listed = new HashSet<>();

        private long left;
        private boolean more;

        StagedBatch(Map<Stream, Head> known, long left, long deadline) {
            this.known = known;
            this.left = left;
            this.deadline = deadline;
        }

        void add(Chunk chunk) {
            chunks.add(chunk);
            left -= chunk.bytes().length;
        }
    }

    private void collect(String replica, Path folder, StagedBatch batch) {
        Map<Stream, SharedFile> streams = new TreeMap<>(Comparator.comparing(Stream::name));
        try {
            List<Path> files = fileSystem.list(folder);
            SharedFile.newest(files).forEach((name, file) -> streams.put(new Stream(replica, name), file));
            SharedFile.copies(files).forEach((name, file) -> streams.put(new Stream(replica, name), file));
        } catch (IOException e) {
            batch.refused.add(replica.substring(0, 8) + " cannot be read");
            return;
        }
        streams.forEach((stream, file) -> {
            batch.listed.add(stream);
            try {
                collect(stream, file, batch);
            } catch (IOException e) {
                if (mayExist(file)) {
                    batch.refused.add(label(stream, file) + " cannot be read");
                }
            }
        });
        batch.known.forEach((stream, head) -> {
            boolean copy = stream.replica().equals(replica) && SharedFile.isCopy(stream.name());
            if (copy && !streams.containsKey(stream) && head.position() > 0) {
                batch.add(Chunk.of(stream, head.generation() + 1, 0, new byte[0]));
            }
        });
    }

    private void collect(Stream stream, SharedFile file, StagedBatch batch) throws IOException {
        FileSystem.Stat stat = fileSystem.stat(file.path());
        Head known = batch.known.getOrDefault(stream, Head.NONE);
        boolean replaced = file.generation() > known.generation();
        boolean grown = stat != null && file.generation() == known.generation() && stat.length() > known.position();
        if (stat == null || !replaced && !grown) {
            return;
        }
        if (!fileSystem.isPlain(file.path())) {
            batch.refused.add(label(stream, file) + " is not a regular file");
            return;
        }
        fileSystem.confine(root, file.path());
        long from = replaced ? 0 : known.position();
        String seen = (stat.length() - from < LARGE_BYTES ? "" : LARGE) + file.generation() + " " + from + " "
                + stat.length() + " " + stat.modifiedMillis() + " "
                + stat.key().toString().replaceAll("[^\\w=,()]", "_");
        if (seen.equals(unread.get(stream))) {
            return;
        }
        batch.more |= batch.left <= 0 || batch.deadline - System.nanoTime() < 0;
        if (batch.more) {
            return;
        }
        long maxBytes = Math.min(batch.left, MAX_CHUNK_BYTES);
        byte[] lines = JsonLinesFile.lines(fileSystem, file.path(), from, stat.length(), maxBytes);
        if (lines.length > 0 || replaced && stat.length() == 0) {
            batch.add(Chunk.of(stream, file.generation(), from, lines));
            batch.more |= maxBytes < stat.length() - from;
            unread.remove(stream);
        } else if (unread.containsKey(stream) || unread.size() < MAX_UNREAD) {
            unread.put(stream, seen);
        }
    }

    /** False if its owner replaced the file since the folder was listed; the next poll reads the newer generation. */
    private boolean mayExist(SharedFile file) {
        try {
            return fileSystem.exists(file.path());
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
        fileSystem.createFolders(folder);
        fileSystem.replace(folder.resolve(RETIRED), "\n".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        // no file is kept open
    }
}
