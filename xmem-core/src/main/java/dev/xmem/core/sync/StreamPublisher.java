package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the own logs as chunks to publish: whole lines after the published ones, with private lines blanked. A log that
 * does not begin with the published bytes was rewritten, and is published from its beginning in the next generation.
 *
 * <p>A compaction may replace a log at any time, also while it is read. Therefore the state of a published chunk
 * ({@link SyncState.Own}) is computed from the bytes that were read, not from the file; and a chunk is read again if
 * another file took the log's name meanwhile. Used by one thread at a time.
 */
final class StreamPublisher {
    private static final int TAIL_BYTES = 512;
    private static final int READ_BYTES = 1 << 20;
    private static final int MAX_TRIES = 4;
    private static final long CHECKSUM_FACTOR = 6364136223846793005L;

    private final FileSystem fileSystem;
    private final SyncPaths paths;
    private final PrivateLines privateLines;
    private final Map<String, Counted> counted = new HashMap<>();
    /** The state of each stream after the chunk that was read or compared last. */
    private final Map<String, SyncState.Own> read = new HashMap<>();

    /** The number of lines after a head in a file of some length. */
    private record Counted(Head head, long length, long lines) {}

    StreamPublisher(FileSystem fileSystem, SyncPaths paths, PrivateLines privateLines) {
        this.fileSystem = fileSystem;
        this.paths = paths;
        this.privateLines = privateLines;
    }

    /** One chunk for each log with unpublished lines, until their total size reaches {@code maxBytes}. */
    List<Chunk> next(String replica, SyncState state, long maxBytes) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        long left = maxBytes;
        for (Map.Entry<String, Path> log : paths.own(fileSystem).entrySet()) {
            if (left <= 0) {
                break;
            }
            Chunk chunk = next(new Stream(replica, log.getKey()), log.getValue(), state, left);
            if (chunk != null) {
                chunks.add(chunk);
                left -= chunk.bytes().length;
            }
        }
        return chunks;
    }

    /**
     * The next chunk of a log; reads it again if the log was replaced meanwhile, since the bytes may be of both files.
     */
    private @Nullable Chunk next(Stream stream, Path file, SyncState state, long maxBytes) throws IOException {
        for (int i = 1; ; i++) {
            Chunk chunk = readOnce(stream, file, state, maxBytes);
            SyncState.Own now = read.get(stream.name());
            if (chunk == null || i == MAX_TRIES || now == null || !now.key().isEmpty()) {
                return chunk;
            }
        }
    }

    private @Nullable Chunk readOnce(Stream stream, Path file, SyncState state, long maxBytes) throws IOException {
        FileSystem.Stat stat = fileSystem.stat(file);
        if (stat == null) {
            return null;
        }
        SyncState.Own known = state.own(stream.name());
        boolean rewritten = known != null && !continues(known, file, stat);
        Head head = known == null ? new Head(1, 0) : known.head();
        head = rewritten ? new Head(head.generation() + 1, 0) : head;
        byte[] lines = JsonLinesFile.lines(fileSystem, file, head.position(), stat.length(), maxBytes);
        // A log that was emptied is published, too: also if the first attempt failed, or its result is unknown.
        boolean begun = known != null && known.key().isEmpty() && head.position() == 0 && head.generation() > 1;
        if (lines.length == 0 && !rewritten && !begun) {
            return null;
        }
        Chunk chunk = Chunk.of(stream, head.generation(), head.position(), lines);
        read.put(stream.name(), stateAfter(chunk, file, stat, known == null ? 0 : known.checksum()));
        return Chunk.of(stream, head.generation(), head.position(), privateLines.blanked(stream.name(), lines));
    }

    /** Whether a log begins with the published bytes, and with those of a publication whose result is unknown. */
    private boolean continues(SyncState.Own known, Path file, FileSystem.Stat stat) throws IOException {
        boolean attempted = known.attempted() < 0
                || stat.length() >= known.attempted() && known.attemptedChecksum() == checksum(file, known.attempted());
        return attempted && hasPublished(known, file, stat);
    }

    /** Compares the last bytes, and all bytes if the file is another one. */
    private boolean hasPublished(SyncState.Own known, Path file, FileSystem.Stat stat) throws IOException {
        long position = known.head().position();
        return position == 0
                || stat.length() >= position
                        && known.tail().equals(tail(file, position))
                        && (known.key().equals(key(stat)) || known.checksum() == checksum(file, position));
    }

    /** The state of a stream that ends with a chunk. The file key is empty if the log was replaced meanwhile. */
    private SyncState.Own stateAfter(Chunk chunk, Path file, FileSystem.Stat stat, long checksumBefore)
            throws IOException {
        byte[] bytes = chunk.bytes();
        String tail = bytes.length >= TAIL_BYTES
                ? CanonicalLines.digest(Arrays.copyOfRange(bytes, bytes.length - TAIL_BYTES, bytes.length))
                : tail(file, chunk.to());
        FileSystem.Stat now = fileSystem.stat(file);
        String key = now != null && now.key().equals(stat.key()) ? key(stat) : "";
        return new SyncState.Own(chunk.end(), key, tail, checksum(bytes, chunk.from() == 0 ? 0 : checksumBefore));
    }

    /** A checksum of the beginning of a file; never negative. */
    private long checksum(Path file, long end) throws IOException {
        long checksum = 0;
        for (long at = 0; at < end; at += READ_BYTES) {
            int length = (int) Math.min(READ_BYTES, end - at);
            checksum = checksum(fileSystem.read(file, at, length), checksum);
        }
        return checksum;
    }

    private static long checksum(byte[] bytes, long before) {
        long checksum = before;
        for (byte b : bytes) {
            checksum = checksum * CHECKSUM_FACTOR + b + 129 & Long.MAX_VALUE;
        }
        return checksum;
    }

    private static String key(FileSystem.Stat stat) {
        return String.valueOf(stat.key()).replaceAll("[^A-Za-z0-9=,()]", "");
    }

    /** A digest of the last bytes before a position. */
    private String tail(Path file, long position) throws IOException {
        int count = (int) Math.min(TAIL_BYTES, position);
        return CanonicalLines.digest(fileSystem.read(file, position - count, count));
    }

    /**
     * Notes in the state that chunks are about to be published. If the result of the publication gets lost and the log
     * is rewritten before the next one, the next one begins a new generation, whether this one succeeded or not.
     */
    void begin(List<Chunk> chunks, SyncState state) {
        if (state.own().isEmpty()) {
            return; // without a state the backend's streams are compared, and replaced if they differ
        }
        for (Chunk chunk : chunks) {
            String name = chunk.stream().name();
            SyncState.Own known = state.own(name);
            SyncState.Own next = read.get(name);
            if (known == null || known.head().generation() < chunk.generation()) {
                known = SyncState.Own.begun(chunk.generation());
            }
            state.own(name, next == null ? known : known.attempting(next));
        }
    }

    /** Notes in the state that the backend has a stream up to the chunk that was read or compared last. */
    void commit(String name, SyncState state) {
        SyncState.Own now = read.get(name);
        if (now != null) {
            state.own(name, now);
        }
    }

    /** Whether the own log has the bytes of a chunk at its position. */
    boolean has(Chunk chunk) throws IOException {
        String name = chunk.stream().name();
        Path file = paths.own(fileSystem).get(name);
        FileSystem.Stat stat = file == null ? null : fileSystem.stat(file);
        if (file == null || stat == null) {
            return chunk.bytes().length == 0;
        }
        SyncState.Own before = read.get(name);
        byte[] bytes = fileSystem.read(file, chunk.from(), chunk.bytes().length);
        boolean same = Arrays.equals(bytes, chunk.bytes()) || Arrays.equals(blanked(chunk, file), chunk.bytes());
        if (same) {
            Chunk own = Chunk.of(chunk.stream(), chunk.generation(), chunk.from(), bytes);
            read.put(name, stateAfter(own, file, stat, before == null ? 0 : before.checksum()));
        }
        return same;
    }

    /** The bytes of a log at the place of a chunk, which may begin and end within a line, as they are published. */
    private byte[] blanked(Chunk chunk, Path file) throws IOException {
        long from = JsonLinesFile.startOfLine(fileSystem, file, chunk.from());
        long to = JsonLinesFile.endOfLine(fileSystem, file, chunk.to());
        byte[] lines = fileSystem.read(file, from, Math.toIntExact(to - from));
        byte[] blanked = privateLines.blanked(chunk.stream().name(), lines);
        int skipped = (int) (chunk.from() - from);
        int end = Math.min(blanked.length, skipped + chunk.bytes().length);
        return Arrays.copyOfRange(blanked, Math.min(skipped, end), end);
    }

    /**
     * The heads of the published streams.
     *
     * @param beforeLastLine whether to return the beginning of the last line instead, so that a poll delivers it
     */
    Map<Stream, Head> heads(String replica, SyncState state, boolean beforeLastLine) throws IOException {
        Map<Stream, Head> heads = new HashMap<>();
        Map<String, Path> logs = paths.own(fileSystem);
        for (Map.Entry<String, SyncState.Own> own : state.own().entrySet()) {
            Head head = own.getValue().head();
            Path log = logs.get(own.getKey());
            long position = head.position();
            if (beforeLastLine && log != null && fileSystem.exists(log)) {
                position = JsonLinesFile.lastLine(fileSystem, log, position);
            }
            heads.put(new Stream(replica, own.getKey()), new Head(head.generation(), position));
        }
        return heads;
    }

    /** Whether a log begins with the published bytes; also true if nothing was published. */
    boolean isUnchanged(String name, SyncState state) throws IOException {
        SyncState.Own known = state.own(name);
        Path file = paths.own(fileSystem).get(name);
        FileSystem.Stat stat = file == null ? null : fileSystem.stat(file);
        return known == null || file != null && stat != null && continues(known, file, stat);
    }

    /** The number of own lines that are not published. */
    long pending(SyncState state) throws IOException {
        long pending = 0;
        for (Map.Entry<String, Path> log : paths.own(fileSystem).entrySet()) {
            FileSystem.Stat stat = fileSystem.stat(log.getValue());
            if (stat != null) {
                SyncState.Own known = state.own(log.getKey());
                boolean rewritten = known != null && !continues(known, log.getValue(), stat);
                Head head = known == null || rewritten ? Head.NONE : known.head();
                pending += pending(log.getKey(), log.getValue(), head, stat.length());
            }
        }
        return pending;
    }

    private long pending(String name, Path file, Head head, long length) throws IOException {
        Counted before = counted.get(name);
        if (before != null && before.head.equals(head) && before.length == length) {
            return before.lines;
        }
        long lines = 0;
        for (long at = head.position(); at < length; at += READ_BYTES) {
            lines += lines(fileSystem.read(file, at, (int) Math.min(READ_BYTES, length - at)));
        }
        counted.put(name, new Counted(head, length, lines));
        return lines;
    }

    /** The number of lines that are not blank. */
    static long published(byte[] bytes) {
        long lines = 0;
        boolean blank = true;
        for (byte b : bytes) {
            lines += b == '\n' && !blank ? 1 : 0;
            blank = b == '\n' || blank && b == ' ';
        }
        return lines;
    }

    private static long lines(byte[] bytes) {
        long lines = 0;
        for (byte b : bytes) {
            lines += b == '\n' ? 1 : 0;
        }
        return lines;
    }
}
