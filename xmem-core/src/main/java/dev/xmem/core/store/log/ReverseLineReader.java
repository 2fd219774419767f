package dev.xmem.core.store.log;

import java.io.IOException;

/** Walks over the lines of a log as they stand in the file, the last first, empty ones and broken ones too. One thread. */
public final class ReverseLineReader {
    private static final byte[] NOTHING = {};

    private final LogFile file;
    private final int lineBytes;
    private byte[] block = NOTHING;
    private long blockStart;
    private long end;
    private long count;
    private byte[] line = NOTHING;

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

    /** Steps to the line before; false at the beginning of the file. */
    public boolean previous() throws IOException {
        if (atBeginning()) {
            return false;
        }
        long start = end;
        while (start > 0 && byteAt(start - 1) != '\n') {
            start--;
        }
        long length = end - start;
        line = length > lineBytes ? NOTHING : file.read(start, (int) length);
        end = start - 1;
        count++;
        return true;
    }

    /** Whether there is no line before. */
    public boolean atBeginning() {
        return end < 0;
    }

    /** The line, without its newline; empty if it is longer than the limit. */
    public byte[] line() {
        return line;
    }

    /** How many lines were stepped over. */
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
