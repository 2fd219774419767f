package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.log.LogFile;
import java.io.IOException;

/** Copies stretches of a log to another file, read and written in large pieces however short they are. Used once. */
final class RunCopier {
    private static final int CHUNK_BYTES = 256 << 10;

    private final LogFile log;
    private final BufferedAppender out;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private long start;
    private int filled;

    RunCopier(LogFile log, BufferedAppender out) {
        this.log = log;
        this.out = out;
    }

    /** Copies a stretch as it stands; returns how much of it there was. */
    long copy(long from, long to) throws IOException {
        long at = from;
        while (at < to && has(at)) {
            int in = (int) (at - start);
            int length = (int) Math.min(filled - in, to - at);
            out.write(chunk, in, length);
            at += length;
        }
        return at - from;
    }

    /** Where the line ends that has this byte: behind its newline, or at the given end. */
    long endOfLine(long from, long end) throws IOException {
        for (long at = from; at < end && has(at); at++) {
            if (chunk[(int) (at - start)] == '\n') {
                return at + 1;
            }
        }
        return end;
    }

    /** Whether the file has a byte, which is in the chunk then. */
    private boolean has(long at) throws IOException {
        if (at < start || at >= start + filled) {
            start = at;
            filled = Math.max(0, log.readRaw(at, chunk, chunk.length));
        }
        return filled > 0;
    }
}
