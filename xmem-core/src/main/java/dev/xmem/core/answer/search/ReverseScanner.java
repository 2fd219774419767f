package dev.xmem.core.answer.search;

import dev.xmem.core.store.index.LogIndex;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Scans a log backwards for a literal or regex, testing the raw bytes of a growing run of lines before parsing any of
 * them. One thread only.
 */
final class ReverseScanner {
    private static final int MAX_LINES = 64;
    private static final int MAX_BYTES = 64 << 10;
    private static final int GROWTH = 4;

    private final LogIndex log;
    private final TextMatcher matcher;
    private final @Nullable BytePattern pattern;
    private byte[] buffer = {};
    /** Where the bytes in the buffer begin in the log, and how many there are; a single line is not buffered. */
    private long start;

    private int buffered;
    private int runLength = 1;
    /** The lines whose bytes were tested, from the first to before the end; of these, those that may match. */
    private int first;

    private int end;
    private final BitSet candidates = new BitSet(MAX_LINES);

    ReverseScanner(LogIndex log, TextMatcher matcher) {
        this.log = log;
        this.matcher = matcher;
        this.pattern = matcher.bytes();
    }

    /**
     * A line if it matches, else null.
     *
     * @param firstOfRun gives the first line of the run that ends with this line, by the most lines that it may have;
     *     each of them may be asked for next
     */
    TextMatcher.@Nullable FoundLine match(int ordinal, IntUnaryOperator firstOfRun) throws IOException {
        if (pattern != null) {
            if (ordinal < first || ordinal >= end) {
                scan(pattern, firstOfRun.applyAsInt(runLength), ordinal);
                runLength = Math.min(MAX_LINES, runLength * GROWTH);
            }
            if (!candidates.get(ordinal - first)) {
                return null;
            }
        }
        return matcher.find(buffered == 0 ? log.bytes(ordinal) : bytes(ordinal));
    }

    /** The bytes of a line that was scanned. A forged segment may say that it is anywhere. */
    private byte[] bytes(int ordinal) {
        int length = log.lines().length(ordinal);
        long from = Objects.checkFromIndexSize(log.lines().offset(ordinal) - start, length, (long) buffered);
        return Arrays.copyOfRange(buffer, (int) from, (int) from + length);
    }

    /** The number of lines right before one that was asked for whose bytes show that they do not match. */
    int mismatchesBefore(int ordinal) {
        int before = ordinal - 1 - first;
        return pattern == null ? 0 : before - candidates.previousSetBit(before);
    }

    private void scan(BytePattern wanted, int from, int last) throws IOException {
        first = from;
        while (first < last && !fits(first, last)) {
            first += (last - first + 1) / 2;
        }
        end = last + 1;
        candidates.clear();
        buffered = 0;
        if (first == last) {
            candidates.set(0);
            return;
        }
        start = log.lines().offset(first);
        int length = (int) (log.lines().offset(last) + log.lines().length(last) - start);
        if (buffer.length < length) {
            buffer = new byte[length];
        }
        log.file().readLines(start, buffer, length);
        buffered = length;
        String bytes = BytePattern.narrow(buffer, length);
        mark(at -> wanted.nextText(bytes, at));
        mark(at -> wanted.nextEscape(bytes, at));
    }

    private boolean fits(int from, int last) {
        long bytes = log.lines().offset(last)
                + log.lines().length(last)
                - log.lines().offset(from);
        return bytes >= 0 && bytes <= MAX_BYTES;
    }

    /** Marks every line that has an occurrence. At most one occurrence of a line is asked for. */
    private void mark(IntUnaryOperator nextOccurrence) {
        int line = first;
        for (int at = nextOccurrence.applyAsInt(0); at >= 0; ) {
            while (line + 1 < end && log.lines().offset(line + 1) - start <= at) {
                line++;
            }
            candidates.set(line - first);
            if (line + 1 == end) {
                return;
            }
            // A forged segment may say that the line begins anywhere.
            long next = Objects.checkIndex(log.lines().offset(line + 1) - start, (long) buffered);
            at = nextOccurrence.applyAsInt((int) next);
        }
    }
}
