package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The own logs as what is to be published of them: whole lines behind those that are out. One thread. */
final class StreamPublisher {
    private static final int COMPARED_BYTES = 512;
    private static final int READ_BYTES = 1 << 20;
    private static final int TRIES = 4;
    private static final long SUM_FACTOR = 6364136223846793005L;

    private final FileSystem disk;
    private final SyncPaths files;
    private final Map<String, Counted> counted = new HashMap<>();
    /** How far each stream is out once the chunk that was read last is. */
    private final Map<String, SyncState.Own> read = new HashMap<>();

    private record Counted(Head head, long length, long lines) {}

    StreamPublisher(FileSystem disk, SyncPaths files) {
        this.disk = disk;
        this.files = files;
    }

    /** One chunk for each log that has something; together about so many bytes, a line at least. */
    List<Chunk> next(String replica, SyncState state, long maxBytes) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        long left = maxBytes;
        for (Map.Entry<String, Path> log : files.own(disk).entrySet()) {
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

    /** Reads again where another file took the log's name meanwhile: what was read is not to be mixed. */
    private @Nullable Chunk next(Stream stream, Path file, SyncState state, long most) throws IOException {
        Chunk chunk = nextOfOneFile(stream, file, state, most);
        for (int i = 1; i < TRIES && chunk != null && isOfNoFile(stream); i++) {
            chunk = nextOfOneFile(stream, file, state, most);
        }
        return chunk;
    }

    private boolean isOfNoFile(Stream stream) {
        SyncState.Own now = read.get(stream.name());
        return now != null && now.key().isEmpty();
    }

    private @Nullable Chunk nextOfOneFile(Stream stream, Path file, SyncState state, long most) throws IOException {
        FileSystem.Stat stat = disk.exists(file) ? disk.stat(file) : null;
        if (stat == null) {
            return null;
        }
        SyncState.Own known = state.own(stream.name());
        Head head = known == null ? new Head(1, 0) : known.head();
        if (known != null && !goesOn(known, file, stat)) {
            head = new Head(head.generation() + 1, 0);
        }
        byte[] lines = JsonLinesFile.lines(disk, file, head.position(), stat.length(), most);
        boolean rewritten = known != null && head.generation() > known.head().generation();
        if (lines.length == 0 && !rewritten) {
            return null;
        }
        Chunk chunk = Chunk.of(stream, head.generation(), head.position(), lines);
        read.put(stream.name(), own(file, stat, known == null ? 0 : known.sum(), chunk));
        return chunk;
    }

    /** Whether the file has the lines that are out, and those that may be, and is longer at most. */
    private boolean goesOn(SyncState.Own known, Path file, FileSystem.Stat stat) throws IOException {
        boolean tried =
                known.tried() < 0 || stat.length() >= known.tried() && known.triedSum() == sum(file, known.tried());
        return tried && hasWhatIsOut(known, file, stat);
    }

    /** In another file each byte is looked at. */
    private boolean hasWhatIsOut(SyncState.Own known, Path file, FileSystem.Stat stat) throws IOException {
        long position = known.head().position();
        return position == 0
                || stat.length() >= position
                        && known.tail().equals(tail(file, position))
                        && (known.key().equals(key(stat)) || known.sum() == sum(file, position));
    }

    /**
     * What is known of a stream that ends with a chunk. Made of the bytes that were read, not of the file as it is by now: a
     * log that is rewritten while it is being published is seen to be another, and which file they were read from is not
     * known then.
     */
    private SyncState.Own own(Path file, FileSystem.Stat stat, long sumBefore, Chunk chunk) throws IOException {
        byte[] bytes = chunk.bytes();
        String tail = bytes.length >= COMPARED_BYTES
                ? digest(Arrays.copyOfRange(bytes, bytes.length - COMPARED_BYTES, bytes.length))
                : tail(file, chunk.to());
        FileSystem.Stat now = disk.exists(file) ? disk.stat(file) : null;
        String key = now != null && now.key().equals(stat.key()) ? key(stat) : "";
        return new SyncState.Own(chunk.end(), key, tail, sum(bytes, chunk.from() == 0 ? 0 : sumBefore));
    }

    /** A checksum of the beginning of a file. Never negative. */
    private long sum(Path file, long to) throws IOException {
        long sum = 0;
        for (long at = 0; at < to; at += READ_BYTES) {
            sum = sum(JsonLinesFile.read(disk, file, at, (int) Math.min(READ_BYTES, to - at)), sum);
        }
        return sum;
    }

    private static long sum(byte[] bytes, long before) {
        long sum = before;
        for (byte b : bytes) {
            sum = sum * SUM_FACTOR + b + 129 & Long.MAX_VALUE;
        }
        return sum;
    }

    private static String key(FileSystem.Stat stat) {
        return String.valueOf(stat.key()).replaceAll("[^A-Za-z0-9=,()]", "");
    }

    /** A digest of the last bytes before a position. */
    private String tail(Path file, long position) throws IOException {
        int count = (int) Math.min(COMPARED_BYTES, position);
        return digest(JsonLinesFile.read(disk, file, position - count, count));
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Notes what is about to be published: which generations are begun, and where the streams will end. Where the answer is
     * lost and the log is rewritten before the next publication, that begins a generation, whatever became of this one.
     */
    void tries(List<Chunk> chunks, SyncState state) {
        if (state.owns().isEmpty()) {
            return; // with nothing noted, what is there is compared, and replaced where it differs
        }
        for (Chunk chunk : chunks) {
            String name = chunk.stream().name();
            SyncState.Own known = state.own(name);
            SyncState.Own next = read.get(name);
            if (known == null || known.head().generation() < chunk.generation()) {
                known = SyncState.Own.begun(chunk.generation());
            }
            state.own(name, next == null ? known : known.trying(next));
        }
    }

    /** The stream of this name is at the backend as far as it was read or compared last. */
    void isOut(String name, SyncState state) {
        SyncState.Own now = read.get(name);
        if (now != null) {
            state.own(name, now);
        }
    }

    /** Whether the own log has these very bytes at that position. */
    boolean has(Chunk chunk) throws IOException {
        String name = chunk.stream().name();
        Path file = files.own(disk).get(name);
        FileSystem.Stat stat = file == null ? null : disk.stat(file);
        if (file == null || stat == null) {
            return chunk.bytes().length == 0;
        }
        SyncState.Own before = read.get(name);
        boolean same = Arrays.equals(JsonLinesFile.read(disk, file, chunk.from(), chunk.bytes().length), chunk.bytes());
        if (same) {
            read.put(name, own(file, stat, before == null ? 0 : before.sum(), chunk));
        }
        return same;
    }

    /**
     * Where own streams end that are out.
     *
     * @param beforeTheLastLine where their last line begins instead, so that it is handed out
     */
    Map<Stream, Head> ends(String replica, SyncState state, boolean beforeTheLastLine) throws IOException {
        Map<Stream, Head> ends = new HashMap<>();
        Map<String, Path> logs = files.own(disk);
        for (Map.Entry<String, SyncState.Own> out : state.owns().entrySet()) {
            Head head = out.getValue().head();
            Path log = logs.get(out.getKey());
            long position = head.position();
            if (beforeTheLastLine && log != null && disk.exists(log)) {
                position = JsonLinesFile.lastLine(disk, log, position);
            }
            ends.put(new Stream(replica, out.getKey()), new Head(head.generation(), position));
        }
        return ends;
    }

    /** Whether a log goes on from what was noted of it; also where nothing was. */
    boolean isAsNoted(String name, SyncState state) throws IOException {
        SyncState.Own known = state.own(name);
        Path file = files.own(disk).get(name);
        FileSystem.Stat stat = file == null || !disk.exists(file) ? null : disk.stat(file);
        return known == null || file != null && stat != null && goesOn(known, file, stat);
    }

    /** How many own lines are not published. */
    long pending(SyncState state) throws IOException {
        long pending = 0;
        for (Map.Entry<String, Path> log : files.own(disk).entrySet()) {
            FileSystem.Stat stat = disk.exists(log.getValue()) ? disk.stat(log.getValue()) : null;
            if (stat != null) {
                SyncState.Own known = state.own(log.getKey());
                boolean rewritten = known != null && !goesOn(known, log.getValue(), stat);
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
            for (byte b : JsonLinesFile.read(disk, file, at, (int) Math.min(READ_BYTES, length - at))) {
                lines += b == '\n' ? 1 : 0;
            }
        }
        counted.put(name, new Counted(head, length, lines));
        return lines;
    }
}
