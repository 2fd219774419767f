package dev.xmem.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits an input stream into lines, numbered from 1; blank lines are skipped. A line ends with {@code \n} or {@code
 * \r\n}, the last one optionally with neither; a leading byte order mark is dropped. A line that is not UTF-8 or is
 * longer than {@value #MAX_BYTES} bytes is returned with the problem instead of its text.
 */
final class InputLines {
    static final int MAX_BYTES = 64 << 20;
    private static final int FIRST_BYTES = 1 << 16;

    private final InputStream in;
    private byte[] buffer = new byte[FIRST_BYTES];
    private int from;
    private int scanned;
    private int to;
    private long number;

    InputLines(InputStream in) {
        this.in = in;
    }

    /** One line: its text, or the problem with it. */
    record Line(long number, String text, @Nullable String problem) {
        /** Returns the text, or throws the problem. */
        String textOrThrow() throws LineException {
            if (problem != null) {
                throw new LineException(problem);
            }
            return text;
        }
    }

    /** Returns the next line, blocking until it is complete; null at the end of the input. */
    @Nullable Line next() throws IOException {
        while (true) {
            boolean tooLong = false;
            while (!newlineSeen()) {
                if (to - from > MAX_BYTES) {
                    tooLong = true;
                    from = to;
                }
                if (!fill()) {
                    return from == to && !tooLong ? null : rest(tooLong);
                }
            }
            Line line = cut(scanned, tooLong);
            from = ++scanned;
            if (line != null) {
                return line;
            }
        }
    }

    /** Whether {@link #next()} would return without blocking. */
    boolean ready() throws IOException {
        while (!newlineSeen()) {
            if (in.available() <= 0 || to - from > MAX_BYTES || !fill()) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Line rest(boolean tooLong) {
        Line line = cut(to, tooLong);
        from = to;
        scanned = to;
        return line;
    }

    private boolean newlineSeen() {
        while (scanned < to && buffer[scanned] != '\n') {
            scanned++;
        }
        return scanned < to;
    }

    private boolean fill() throws IOException {
        if (from > 0 && (from == to || to == buffer.length)) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            scanned -= from;
            from = 0;
        }
        if (to == buffer.length) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int n = in.read(buffer, to, buffer.length - to);
        to += Math.max(n, 0);
        return n >= 0;
    }

    /** The line from {@link #from} to {@code end}; null if it is blank. */
    private @Nullable Line cut(int end, boolean tooLong) {
        number++;
        if (tooLong) {
            return new Line(number, "", "the line is longer than " + MAX_BYTES + " bytes");
        }
        int start = number == 1 && startsWithMark(end) ? from + 3 : from;
        String text = new String(buffer, start, end - start, StandardCharsets.UTF_8);
        if (text.isBlank()) {
            return null;
        }
        int wrong = text.indexOf('\uFFFD') < 0 ? -1 : notUtf8(start, end);
        return wrong < 0
                ? new Line(number, text.endsWith("\r") ? text.substring(0, text.length() - 1) : text, null)
                : new Line(number, "", "the line is not UTF-8 at byte " + wrong);
    }

    private boolean startsWithMark(int end) {
        return end - from >= 3
                && buffer[from] == (byte) 0xEF
                && buffer[from + 1] == (byte) 0xBB
                && buffer[from + 2] == (byte) 0xBF;
    }

    /**
     * The offset of the first byte that is not UTF-8; -1 if there is none and the text itself contains replacement
     * characters.
     */
    private int notUtf8(int start, int end) {
        CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer bytes = ByteBuffer.wrap(buffer, start, end - start);
        boolean wrong =
                strict.decode(bytes, CharBuffer.allocate(end - start), true).isError();
        return wrong ? bytes.position() - start : -1;
    }
}
