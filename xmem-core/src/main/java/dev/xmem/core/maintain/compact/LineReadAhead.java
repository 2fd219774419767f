package dev.xmem.core.maintain.compact;

import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LogChangedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Lines of one log that are wanted soon, read at once in the order of the file, neighbours together. What does not fit is
 * read when it is asked for. One thread.
 */
final class LineReadAhead {
    /** So many bytes are read at once and kept. */
    static final long BYTES = 16 << 20;

    static final byte[] NOTHING = {};

    private static final int RUN_BYTES = 256 << 10;
    private static final int GAP_BYTES = 2 << 10;

    private final LogIndex index;
    private final Map<Integer, byte[]> lines = new HashMap<>();

    /** Reads lines, as many as fit. */
    LineReadAhead(LogIndex index, int[] wanted) throws IOException {
        this.index = index;
        int[] inOrder = Arrays.copyOf(wanted, fitting(wanted));
        Arrays.sort(inOrder);
        byte[] run = NOTHING;
        for (int first = 0; first < inOrder.length; ) {
            int last = first;
            long from = index.lines().offset(inOrder[first]);
            while (last + 1 < inOrder.length && isNear(from, inOrder[last], inOrder[last + 1])) {
                last++;
            }
            int length = (int) (end(inOrder[last]) - from);
            if (run.length < length) {
                run = new byte[Math.max(length, RUN_BYTES)];
            }
            if (from < 0 || index.file().readRaw(from, run, length) < length) {
                throw new LogChangedException(index.file().path() + " is shorter than it was; ask again");
            }
            for (; first <= last; first++) {
                int at = (int) (index.lines().offset(inOrder[first]) - from);
                lines.put(
                        inOrder[first],
                        Arrays.copyOfRange(run, at, at + index.lines().length(inOrder[first])));
            }
        }
    }

    /** How many of the first lines fit. */
    private int fitting(int[] wanted) {
        long bytes = 0;
        int n = 0;
        while (n < wanted.length && bytes + index.lines().length(wanted[n]) <= BYTES) {
            bytes += index.lines().length(wanted[n++]);
        }
        return n;
    }

    /** Where a line ends, as the index knows it; the index may be wrong. */
    private long end(int ordinal) throws IOException {
        int length = index.lines().length(ordinal);
        if (length < 0 || length > index.file().lineBytes()) {
            throw new LogChangedException(index.file().path() + " has no line of " + length + " bytes; ask again");
        }
        return index.lines().offset(ordinal) + length;
    }

    private boolean isNear(long from, int last, int next) throws IOException {
        long gap = index.lines().offset(next) - end(last);
        return gap >= 0 && gap <= GAP_BYTES && end(next) - from <= RUN_BYTES;
    }

    /** A line. */
    byte[] bytes(int ordinal) throws IOException {
        byte[] known = lines.get(ordinal);
        return known == null ? index.bytes(ordinal) : known;
    }
}
