package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.io.FileSystem;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The file that a log was before another took its name. A program that opened it before and knows nothing of the lock may
 * write to it still: what it writes is brought into the log. Thread-safe.
 */
final class ReplacedLog implements Closeable {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int MOST_BYTES = 1 << 20;
    private static final byte[] NEWLINE = {'\n'};

    private final FileSystem disk;
    private final Path log;
    private final FileSystem.Input before;
    /** How far it is in the log. Changed by who has the store's mutex. */
    private volatile long end;

    private volatile boolean closed;

    /** A log's file before it is replaced. */
    ReplacedLog(FileSystem disk, Path log) throws IOException {
        this.disk = disk;
        this.log = log;
        this.before = disk.open(log);
    }

    /** Everything below is in the new file. */
    void copiedTo(long length) {
        end = length;
    }

    /** Whether it grew since. */
    boolean grew() throws IOException {
        return !closed && before.read(end, new byte[1], 0, 1) > 0;
    }

    /** Brings what came since, bytes for bytes: nobody has appended to the new file. The caller holds the mutex. */
    void bringAtOnce() throws IOException {
        long from = end;
        byte[] late = read(from, MOST_BYTES);
        if (late.length > 0) {
            append(new byte[0], late);
            end = from + late.length;
        }
    }

    /**
     * Brings what came since, line by line. The caller holds the mutex.
     *
     * @param last whether a line without an end is brought too
     */
    void bring(boolean last) throws IOException {
        while (grew()) {
            long start = lineStart();
            byte[] late = read(start, (int) (end - start) + MOST_BYTES);
            int whole = last || late.length >= MOST_BYTES ? late.length : endOfLines(late);
            if (start + whole <= end) {
                return;
            }
            append(NEWLINE, Arrays.copyOf(late, whole));
            end = start + whole;
        }
    }

    private static int endOfLines(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }

    /** Where the line begins that the new file has a part of, if it is such a one. */
    private long lineStart() throws IOException {
        long at = end;
        while (at > 0 && end - at < MOST_BYTES) {
            byte[] some = read(Math.max(0, at - CHUNK_BYTES), (int) Math.min(CHUNK_BYTES, at));
            int newline = endOfLines(some);
            at -= some.length - newline;
            if (newline > 0 || some.length == 0) {
                return at;
            }
        }
        return at == 0 ? 0 : end;
    }

    private byte[] read(long from, int most) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] chunk = new byte[Math.min(CHUNK_BYTES, most)];
        for (int read = 1; read > 0 && bytes.size() < most; ) {
            read = before.read(from + bytes.size(), chunk, 0, Math.min(chunk.length, most - bytes.size()));
            bytes.write(chunk, 0, Math.max(0, read));
        }
        return bytes.toByteArray();
    }

    private void append(byte[] seal, byte[] lines) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(seal);
        all.writeBytes(lines);
        if (seal.length > 0 && lines[lines.length - 1] != '\n') {
            all.writeBytes(NEWLINE);
        }
        try (FileSystem.Output out = disk.append(log)) {
            out.write(all.toByteArray(), 0, all.size());
            out.force();
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        before.close();
    }
}
