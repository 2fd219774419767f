package dev.xmem.core.store.log;

import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits a range of a log into lines. Its memory is bounded by the longest line that is allowed. Each reader is used
 * for one range.
 */
final class LineReader {
    private static final int CHUNK_BYTES = 256 << 10;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHEST = 0x8080808080808080L;
    private static final long NEWLINES = '\n' * ONES;

    /** Part of the line behind it, except at the beginning of a file. */
    static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final FileSystem.Input source;
    private final int lineBytes;
    private final LineSink sink;
    private final @Nullable BlockCache blocks;

    private byte[] buffer = {};
    /** The same bytes. */
    private ByteBuffer longs = ByteBuffer.wrap(buffer);

    private int filled;
    private long lineStart;
    /** The number of bytes of the current line that were dropped because it is too long. */
    private long overlong;

    private boolean unended;

    /** Creates a reader; it adds the bytes that it reads to {@code blocks}, if not null. */
    LineReader(FileSystem.Input source, int lineBytes, LineSink sink, @Nullable BlockCache blocks) {
        this.source = source;
        this.lineBytes = lineBytes;
        this.sink = sink;
        this.blocks = blocks;
    }

    /** Whether the sink received a last line that has no newline. */
    boolean unended() {
        return unended;
    }

    /**
     * Reads a range of the file.
     *
     * @return where the last line begins, if it has no newline and the sink did not accept it; else where the range
     *     ends
     */
    long read(long from, long to) throws IOException {
        lineStart = from;
        long position = from;
        room((int) Math.max(1, Math.min(CHUNK_BYTES, to - from)));
        while (position < to) {
            if (filled == buffer.length) {
                room(2 * buffer.length);
            }
            int wanted = (int) Math.min(buffer.length - filled, to - position);
            int read = source.read(position, buffer, filled, wanted);
            if (read <= 0) {
                break;
            }
            if (blocks != null) {
                blocks.add(position, buffer, filled, read);
            }
            int searched = filled;
            filled += read;
            position += read;
            split(searched);
        }
        return finish();
    }

    private void room(int bytes) {
        buffer = Arrays.copyOf(buffer, bytes);
        longs = ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void split(int searched) {
        int start = 0;
        for (int end = lineEnd(searched); end < filled; end = lineEnd(end + 1)) {
            endLine(start, end);
            lineStart += end + 1 - start;
            start = end + 1;
        }
        System.arraycopy(buffer, start, buffer, 0, filled - start);
        filled -= start;
        if (filled > lineBytes + 1L) {
            overlong += filled;
            lineStart += filled;
            filled = 0;
        }
    }

    /** Where the next newline is, from a place on, looked for eight bytes at a time; where the bytes end if none is. */
    private int lineEnd(int from) {
        int i = from;
        for (; i + Long.BYTES <= filled; i += Long.BYTES) {
            long differs = longs.getLong(i) ^ NEWLINES;
            long zeros = (differs - ONES) & ~differs & HIGHEST;
            if (zeros != 0) {
                return i + Long.numberOfTrailingZeros(zeros) / Byte.SIZE;
            }
        }
        while (i < filled && buffer[i] != '\n') {
            i++;
        }
        return i;
    }

    private void endLine(int start, int end) {
        if (overlong > 0 || end - start > lineBytes + 1L) {
            long length = overlong + end - start;
            sink.malformed(lineStart - overlong, length, "is longer than the limit of " + lineBytes + " bytes");
            overlong = 0;
        } else {
            emit(start, end, true);
        }
    }

    private long finish() {
        if (overlong > 0) {
            return lineStart - overlong;
        }
        return filled > 0 && !emit(0, filled, false) ? lineStart : lineStart + filled;
    }

    private int trimBlanks(int first, int end) {
        int last = end;
        while (last > first && (buffer[last - 1] == '\r' || buffer[last - 1] == ' ' || buffer[last - 1] == '\t')) {
            last--;
        }
        return last;
    }

    /**
     * After a power cut, zeros may replace lost bytes, directly after a line that had no newline yet, and another
     * program may append behind them.
     */
    private int trimZeros(int first, int end) {
        int last = end;
        while (last > first && buffer[last - 1] == 0) {
            last--;
        }
        return last == first ? end : last;
    }

    /** Where the zeros at the beginning of a line end, which are not the whole line. */
    private int afterZeros(int first, int last) {
        int at = first;
        while (at < last && buffer[at] == 0) {
            at++;
        }
        return at == last ? first : at;
    }

    private boolean emit(int start, int end, boolean ended) {
        int first = start;
        boolean atBeginning = lineStart == 0 && end - start >= BYTE_ORDER_MARK.length;
        if (atBeginning && Arrays.equals(buffer, start, start + 3, BYTE_ORDER_MARK, 0, 3)) {
            first += BYTE_ORDER_MARK.length;
        }
        int last = trimBlanks(first, trimZeros(first, end));
        first = afterZeros(first, last);
        if (last == first) {
            return ended;
        }
        if (last - first > lineBytes) {
            if (ended) {
                sink.malformed(lineStart, last - first, "is longer than the limit of " + lineBytes + " bytes");
            }
            return ended;
        }
        unended = !ended;
        return sink.line(lineStart + (first - start), buffer, first, last - first, ended);
    }
}
