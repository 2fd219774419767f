package dev.xmem.core.store.log;

import java.io.IOException;
import java.util.Arrays;

/** Reads the lines of a log backwards, also empty and malformed ones. Not thread-safe. */
public final class ReverseLineReader {
    private static final byte[] EMPTY = {};

    private final LogFile file;
    private final int lineBytes;
    private byte[] block = EMPTY;
    private long blockStart;
    private long end;
    private long count;
    private byte[] line = EMPTY;

    ReverseLineReader(LogFile file, int lineBytes) throws IOException {
        this.file = file;
        this.lineBytes = lineBytes;
        this.end = file.length();
        this.blockStart = end;
        if (end > 0 && byteAt(end - 1) == '\n') {
            end--;
        } else if (end == 0) {
            end = -1;
        }
    }

    /** Moves to the previous line; false at the beginning of the file. */
    public boolean previous() throws IOException {
        if (atBeginning()) {
            return false;
        }
        long start = end;
        while (start > 0 && byteAt(start - 1) != '\n') {
            start--;
        }
        long length = end - start;
        line = length > lineBytes ? EMPTY : withoutZeros(file.read(start, (int) length));
        end = start - 1;
        count++;
        return true;
    }

    /** The line without the zeros that a power cut left before or behind it. */
    private static byte[] withoutZeros(byte[] bytes) {
        int from = 0;
        int to = bytes.length;
        while (to > 0 && bytes[to - 1] == 0) {
            to--;
        }
        while (from < to && bytes[from] == 0) {
            from++;
        }
        return to - from == bytes.length ? bytes : Arrays.copyOfRange(bytes, from, to);
    }

    /** Whether there is no previous line. */
    public boolean atBeginning() {
        return end < 0;
    }

    /** The current line without its newline; empty if it is longer than the limit. */
    public byte[] line() {
        return line;
    }

    /** The number of lines that were read. */
    public long count() {
        return count;
    }

    private byte byteAt(long position) throws IOException {
        if (position < blockStart || position >= blockStart + block.length) {
            long number = position / BlockCache.BLOCK_BYTES;
            blockStart = number * BlockCache.BLOCK_BYTES;
            block = file.read(
                    blockStart, (int) (Math.min(file.length(), blockStart + BlockCache.BLOCK_BYTES) - blockStart));
        }
        return block[(int) (position - blockStart)];
    }
}
