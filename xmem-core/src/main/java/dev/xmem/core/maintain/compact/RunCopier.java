package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.log.LogFile;
import java.io.IOException;

/**
 * Copies byte ranges of a log to another file; reads and writes large blocks, however short the ranges are. Used once.
 */
final class RunCopier {
    private static final int BLOCK_BYTES = 256 << 10;

    private final LogFile log;
    private final BufferedAppender out;
    private final byte[] block = new byte[BLOCK_BYTES];
    private long start;
    private int filled;

    RunCopier(LogFile log, BufferedAppender out) {
        this.log = log;
        this.out = out;
    }

    /** Copies a range; returns the number of bytes that the file has of it. */
    long copy(long from, long to) throws IOException {
        long at = from;
        while (at < to && has(at)) {
            int in = (int) (at - start);
            int length = (int) Math.min(filled - in, to - at);
            out.write(block, in, length);
            at += length;
        }
        return at - from;
    }

    /** Returns the end of the line that contains this byte: behind its newline, or the given end. */
    long endOfLine(long from, long end) throws IOException {
        for (long at = from; at < end && has(at); at++) {
            if (block[(int) (at - start)] == '\n') {
                return at + 1;
            }
        }
        return end;
    }

    /** Whether the file has a byte; if so, the block contains it. */
    private boolean has(long at) throws IOException {
        if (at < start || at >= start + filled) {
            start = at;
            filled = Math.max(0, log.readRaw(at, block, block.length));
        }
        return filled > 0;
    }
}
