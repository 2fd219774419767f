package dev.xmem.core.answer.search;

import dev.xmem.core.store.index.LogIndex;
import java.io.IOException;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tells of the lines of a log, the last first, which hold what a needle looks for. Before it parses any, it looks at the bytes
 * of many lines at once, of more and more as long as they are asked for. For one thread.
 */
final class ReverseScanner {
    private static final int MOST_LINES = 64;
    private static final int MOST_BYTES = 64 << 10;
    private static final int GROWTH = 4;

    private final LogIndex log;
    private final TextMatcher needle;
    private final @Nullable BytePattern pattern;
    private final BitSet passing = new BitSet(MOST_LINES);
    private byte[] buffer = {};
    private int most = 1;
    /** The lines of which it knows: from the first on, up to this one. */
    private int first;

    private int end;

    ReverseScanner(LogIndex log, TextMatcher needle) {
        this.log = log;
        this.needle = needle;
        this.pattern = needle.bytes();
    }

    /**
     * Whether a line holds it.
     *
     * @param firstOfRun the first of at most so many lines that follow each other, end with this one and may be asked for
     */
    boolean holds(int ordinal, IntUnaryOperator firstOfRun) throws IOException {
        return (pattern == null || passes(pattern, ordinal, firstOfRun)) && needle.in(log.bytes(ordinal));
    }

    /** How many lines right before one that was asked for are known not to hold it. */
    int without(int ordinal) {
        int before = ordinal - 1 - first;
        return pattern == null ? 0 : before - passing.previousSetBit(before);
    }

    private boolean passes(BytePattern wanted, int ordinal, IntUnaryOperator firstOfRun) throws IOException {
        if (ordinal < first || ordinal >= end) {
            look(wanted, firstOfRun.applyAsInt(most), ordinal);
            most = Math.min(MOST_LINES, most * GROWTH);
        }
        return passing.get(ordinal - first);
    }

    private void look(BytePattern wanted, int from, int last) throws IOException {
        first = from;
        while (first < last && !isShort(first, last)) {
            first += (last - first + 1) / 2;
        }
        end = last + 1;
        passing.clear();
        if (first == last) {
            passing.set(0);
            return;
        }
        long start = log.lines().offset(first);
        int length = (int) (log.lines().offset(last) + log.lines().length(last) - start);
        if (buffer.length < length) {
            buffer = new byte[length];
        }
        log.file().readLines(start, buffer, length);
        String bytes = BytePattern.narrow(buffer, length);
        mark(start, at -> wanted.nextText(bytes, at));
        mark(start, at -> wanted.nextEscape(bytes, at));
    }

    private boolean isShort(int from, int last) {
        long bytes = log.lines().offset(last)
                + log.lines().length(last)
                - log.lines().offset(from);
        return bytes >= 0 && bytes <= MOST_BYTES;
    }

    /** Lets every line pass in which there is a next place, each looked at only up to there. */
    private void mark(long start, IntUnaryOperator next) {
        int line = first;
        for (int at = next.applyAsInt(0); at >= 0; ) {
            while (line + 1 < end && log.lines().offset(line + 1) - start <= at) {
                line++;
            }
            passing.set(line - first);
            if (line + 1 == end) {
                return;
            }
            at = next.applyAsInt((int) (log.lines().offset(line + 1) - start));
        }
    }
}
