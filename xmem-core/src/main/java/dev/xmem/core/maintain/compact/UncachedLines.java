package dev.xmem.core.maintain.compact;

import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;

/**
 * Reads lines of a log past its cache, which a pass over all lines would only flush. Of the last bytes no whole chunk
 * is mapped: they are read once. For one plan; only {@link #isLineEnd} is for one thread.
 */
final class UncachedLines {
    /** A log up to this size is read whole; of a larger one only the end, which is not mapped. */
    private static final int SMALL_LOG = (int) ResourcePool.share(16 << 20, 16);

    private static final int OF_LARGE_LOG = 256 << 10;

    private final LogIndex log;
    private final long tailFrom;
    private final byte[] tail;
    /** The bytes before the next line. A shorter read would not be served from the mapping. */
    private final byte[] before = new byte[16];

    UncachedLines(LogIndex log) throws IOException {
        this(log, log.file().length() <= SMALL_LOG ? (int) log.file().length() : OF_LARGE_LOG);
    }

    private UncachedLines(LogIndex log, int tailBytes) throws IOException {
        LogFile file = log.file();
        this.log = log;
        this.tail = new byte[tailBytes];
        this.tailFrom = file.length() - tail.length;
        if (tail.length > 0 && file.readRaw(tailFrom, tail, tail.length) < tail.length) {
            throw new LogChangedException(file.path() + " is shorter than it was; ask again");
        }
    }

    /** Lines of a log of which nothing is kept in memory. */
    static UncachedLines withoutTail(LogIndex log) throws IOException {
        return new UncachedLines(log, 0);
    }

    /** The bytes of a line. The index may be wrong. */
    byte[] line(int ordinal) throws IOException {
        int length = log.lines().length(ordinal);
        long offset = log.lines().offset(ordinal);
        if (offset < 0 || length < 0 || length > log.file().lineBytes()) {
            throw new LogChangedException(log.file().path() + " has no line of " + length + " bytes; ask again");
        }
        byte[] line = new byte[length];
        if (!read(offset, line, length)) {
            throw new LogChangedException(log.file().path() + " is shorter than it was; ask again");
        }
        return line;
    }

    private boolean read(long offset, byte[] into, int length) throws IOException {
        if (offset >= tailFrom && offset - tailFrom <= tail.length - length) {
            System.arraycopy(tail, (int) (offset - tailFrom), into, 0, length);
            return true;
        }
        return log.file().readKnown(offset, into, length) == length;
    }

    /** Whether between two offsets are a few line ends and blanks, a newline last. */
    boolean isLineEnd(long from, long to) throws IOException {
        int length = (int) Math.min(before.length, to);
        if (from >= to || to - from > length || !read(to - length, before, length) || before[length - 1] != '\n') {
            return false;
        }
        for (int i = length - (int) (to - from); i < length; i++) {
            if (before[i] != '\n' && before[i] != '\r' && before[i] != ' ' && before[i] != '\t') {
                return false;
            }
        }
        return true;
    }
}
