package dev.xmem.core.store.log;

import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.util.Arrays;

/**
 * Splits a stretch of a file into lines, with memory bounded by the longest line that is allowed. Used once: for the
 * stretch from one position to another.
 */
final class LineReader {
    private static final int CHUNK_BYTES = 256 << 10;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final FileSystem.Input source;
    private final int lineBytes;
    private final LineSink sink;
    private final ChunkSink chunks;

    private byte[] buffer = {};
    private int filled;
    private long lineStart;
    private long overlong;

    /** Sees the raw bytes too: the tail window. */
    interface ChunkSink {
        void chunk(long offset, byte[] buffer, int start, int length);
    }

    LineReader(FileSystem.Input source, int lineBytes, LineSink sink, ChunkSink chunks) {
        this.source = source;
        this.lineBytes = lineBytes;
        this.sink = sink;
        this.chunks = chunks;
    }

    /** Reads on to the end; returns where the first line begins that is neither ended nor understood. */
    long read(long from, long to) throws IOException {
        lineStart = from;
        long position = from;
        buffer = new byte[(int) Math.max(1, Math.min(CHUNK_BYTES, to - from))];
        while (position < to) {
            if (filled == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * buffer.length);
            }
            int wanted = (int) Math.min(buffer.length - filled, to - position);
            int read = source.read(position, buffer, filled, wanted);
            if (read <= 0) {
                break;
            }
            chunks.chunk(position, buffer, filled, read);
            int searched = filled;
            filled += read;
            position += read;
            split(searched);
        }
        return last();
    }

    private void split(int searched) {
        int start = 0;
        for (int i = searched; i < filled; i++) {
            if (buffer[i] == '\n') {
                ended(start, i);
                lineStart += i + 1 - start;
                start = i + 1;
            }
        }
        System.arraycopy(buffer, start, buffer, 0, filled - start);
        filled -= start;
        if (filled > lineBytes + 1L) {
            overlong += filled;
            lineStart += filled;
            filled = 0;
        }
    }

    private void ended(int start, int end) {
        if (overlong > 0 || end - start > lineBytes + 1L) {
            long length = overlong + end - start;
            sink.malformed(lineStart - overlong, length, "is longer than the limit of " + lineBytes + " bytes");
            overlong = 0;
        } else {
            hand(start, end, true);
        }
    }

    private long last() {
        if (overlong > 0) {
            return lineStart - overlong;
        }
        return filled > 0 && !hand(0, filled, false) ? lineStart : lineStart + filled;
    }

    private int withoutBlanks(int first, int end) {
        int last = end;
        while (last > first && (buffer[last - 1] == '\r' || buffer[last - 1] == ' ' || buffer[last - 1] == '\t')) {
            last--;
        }
        return last;
    }

    /** After a power cut zeros may stand where bytes were lost, right behind a line that had no line end yet. */
    private int withoutZeros(int first, int end) {
        int last = end;
        while (last > first && buffer[last - 1] == 0) {
            last--;
        }
        return last == first ? end : last;
    }

    private boolean hand(int start, int end, boolean ended) {
        int first = start;
        boolean atBeginning = lineStart == 0 && end - start >= BYTE_ORDER_MARK.length;
        if (atBeginning && Arrays.equals(buffer, start, start + 3, BYTE_ORDER_MARK, 0, 3)) {
            first += BYTE_ORDER_MARK.length;
        }
        int last = withoutBlanks(first, withoutZeros(first, end));
        if (last == first) {
            return ended;
        }
        if (last - first > lineBytes) {
            if (ended) {
                sink.malformed(lineStart, last - first, "is longer than the limit of " + lineBytes + " bytes");
            }
            return ended;
        }
        return sink.line(lineStart + (first - start), buffer, first, last - first, ended);
    }
}
