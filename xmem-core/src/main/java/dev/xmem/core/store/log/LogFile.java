package dev.xmem.core.store.log;

import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.io.FileSystem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One NDJSON file: learns what is in it and what others append, appends, and gives stretches of it back.
 *
 * <p>An object stands for one file as long as it only grows. When {@link #refresh} says that the file is another one, or
 * was cut or changed, a new object takes over; readers of the old one go on with the bytes they know. {@link #refresh} and
 * {@link #append} are called by one thread at a time; {@link #looksChanged} and {@link #read} by any.
 */
public final class LogFile implements Closeable {
    private static final int COMPARED_BYTES = 512;
    private static final int COPIED_BYTES = 256 << 10;

    private final FileSystem disk;
    private final Path path;
    private final int lineBytes;
    private final BlockCache blocks;

    private FileSystem.@Nullable Output appender;
    private @Nullable Object appenderKey;
    private volatile FileSystem.@Nullable Input source;
    private volatile @Nullable IOException lostSync;
    private final ReentrantLock syncing = new ReentrantLock();
    private long syncedTo;
    private long parsedLength;
    private boolean tailIsOpen;
    private boolean tailIsBlank;
    private volatile @Nullable Object key;
    private volatile long knownLength;

    /** What a look at the file showed. */
    public enum Change {
        /** Nothing new. */
        NONE,
        /** It grew; the new lines were handed over. */
        GREW,
        /** It is not the file that was read before. Nothing was handed over. */
        REPLACED
    }

    /** A log that may not exist yet. */
    public LogFile(FileSystem disk, Path path, int lineBytes, long tailBytes, ByteCache cache, ReadStats reads) {
        this.disk = disk;
        this.path = path;
        this.lineBytes = lineBytes;
        this.blocks = new BlockCache(tailBytes, cache, reads);
    }

    /** Where the file is. */
    public Path path() {
        return path;
    }

    /** Which file it is; null as long as there is none. */
    public @Nullable Object key() {
        return key;
    }

    /** The longest line that is read, in bytes. */
    public int lineBytes() {
        return lineBytes;
    }

    /** Begins behind what is known of the file already. To be called before anything else. */
    public void seek(long offset) throws IOException {
        FileSystem.Input from = source();
        long aligned = offset - offset % BlockCache.BLOCK_BYTES;
        byte[] before = new byte[(int) (offset - aligned)];
        if (from.read(aligned, before, 0, before.length) < before.length) {
            throw new IOException(path + " is shorter than it was");
        }
        blocks.add(aligned, before, 0, before.length);
        parsedLength = offset;
        knownLength = offset;
    }

    /** Reads bytes as they stand in the file now; returns how many there were. */
    public int readRaw(long offset, byte[] into, int length) throws IOException {
        return source().read(offset, into, 0, length);
    }

    /** How many bytes of it are known. */
    public long length() {
        return knownLength;
    }

    /** Whether a look at the file's length and identity says that there is something to learn. */
    public boolean looksChanged() throws IOException {
        FileSystem.Stat stat = stat();
        return stat == null
                ? key != null
                : stat.length() != knownLength || !stat.key().equals(key);
    }

    private FileSystem.@Nullable Stat stat() throws IOException {
        return key == null && !disk.exists(path) ? null : disk.stat(path);
    }

    /** Hands over the lines that were not there before. */
    public Change refresh(LineSink sink) throws IOException {
        FileSystem.Stat stat = stat();
        if (stat == null) {
            return key == null ? Change.NONE : Change.REPLACED;
        }
        if (key != null && (!stat.key().equals(key) || stat.length() < knownLength)) {
            return Change.REPLACED;
        }
        if (key != null && stat.length() == knownLength) {
            return Change.NONE;
        }
        if (source == null) {
            source = disk.open(path);
        }
        if (!startsAsKnown(source)) {
            return Change.REPLACED;
        }
        key = stat.key();
        readOn(source, stat.length(), sink);
        return Change.GREW;
    }

    private void readOn(FileSystem.Input from, long to, LineSink sink) throws IOException {
        boolean[] open = {false};
        boolean[] unended = {false};
        LineSink watched = new LineSink() {
            @Override
            public boolean line(long offset, byte[] buffer, int start, int length, boolean ended) {
                open[0] = !ended;
                unended[0] = !ended;
                return sink.line(offset, buffer, start, length, ended);
            }

            @Override
            public void malformed(long offset, long length, String reason) {
                sink.malformed(offset, length, reason);
            }
        };
        parsedLength = new LineReader(from, lineBytes, watched, blocks).read(parsedLength, to);
        tailIsOpen = open[0] && parsedLength == to;
        tailIsBlank = !unended[0] && to - parsedLength <= lineBytes;
        knownLength = to;
    }

    /** Whether the file still has the bytes before the new ones: in-place edits and merges change them. */
    private boolean startsAsKnown(FileSystem.Input from) throws IOException {
        int count = (int) Math.min(COMPARED_BYTES, parsedLength);
        byte[] now = new byte[count + 1];
        int read = from.read(parsedLength - count, now, 0, count + 1);
        if (count > 0
                && (read < count
                        || !Arrays.equals(now, 0, count, blocks.read(from, parsedLength - count, count), 0, count))) {
            return false;
        }
        return !tailIsOpen || read <= count || now[count] == '\n' || now[count] == '\r';
    }

    /**
     * Appends lines with one write. The caller has just learned all that is in the file and holds the store's mutex.
     *
     * @param bytes holds a newline, then the lines, each ended by a newline: the first seals a torn tail and is left out
     *     where there is none
     * @param start where the first newline stands
     * @param length how many bytes, the first newline included
     * @return where the first line begins in the file
     */
    public long append(byte[] bytes, int start, int length, LineSink sink) throws IOException {
        refuseAfterLostSync();
        FileSystem.Output out = appender();
        boolean seal = knownLength > parsedLength || tailIsOpen;
        int from = seal ? start : start + 1;
        int count = seal ? length : length - 1;
        // The commit point: when this write returns, the lines exist, whatever happens next.
        out.write(bytes, from, count);
        if (knownLength > parsedLength && !tailIsBlank) {
            sink.malformed(
                    parsedLength,
                    knownLength - parsedLength,
                    "is torn: a write was cut off, or its line end is missing");
        }
        long first = knownLength + (seal ? 1 : 0);
        blocks.add(knownLength, bytes, from, count);
        parsedLength = knownLength + count;
        knownLength = parsedLength;
        tailIsOpen = false;
        return first;
    }

    private FileSystem.Output appender() throws IOException {
        if (appender != null && appenderKey != null && appenderKey.equals(key)) {
            return appender;
        }
        if (appender != null) {
            appender.close();
        }
        FileSystem.Output opened = disk.append(path);
        appender = opened;
        FileSystem.Stat stat = disk.stat(path);
        appenderKey = stat == null ? null : stat.key();
        if (key == null) {
            key = appenderKey;
        }
        return opened;
    }

    /** Returns when all that was appended is on the medium. A failure is final: nothing more is appended here. */
    public void force() throws IOException {
        FileSystem.Output out = appender;
        if (out == null) {
            return;
        }
        refuseAfterLostSync();
        try {
            out.force();
        } catch (IOException e) {
            lostSync = e;
            throw e;
        }
    }

    /** An fsync after a failed one would succeed, and what the failed one lost would still be lost. */
    private void refuseAfterLostSync() throws IOException {
        IOException lost = lostSync;
        if (lost != null) {
            throw new IOException("an earlier fsync failed; open the store again", lost);
        }
    }

    /** As {@link #force}, for what was appended up to a length: whoever waits while one fsync runs shares the next. */
    public void forceTo(long length) throws IOException {
        syncing.lock();
        try {
            if (syncedTo < length) {
                long now = knownLength;
                force();
                syncedTo = now;
            }
        } finally {
            syncing.unlock();
        }
    }

    /** A copy of a stretch of the file that was handed over before. */
    public byte[] read(long offset, int length) throws IOException {
        return blocks.read(source(), offset, length);
    }

    /** A line, as an index knows it; the index may be wrong. */
    public byte[] readLine(long offset, int length) throws IOException {
        if (offset < 0 || length < 0 || length > lineBytes) {
            throw new LogChangedException(path + " has no line of " + length + " bytes at " + offset + "; ask again");
        }
        return read(offset, length);
    }

    /** Copies lines that follow each other, as an index knows them, to the beginning of an array. */
    public void readLines(long offset, byte[] into, int length) throws IOException {
        if (offset < 0) {
            throw new LogChangedException(path + " has no lines at " + offset + "; ask again");
        }
        blocks.read(source(), offset, into, length);
    }

    /** Hands over all lines up to where the file was read; returns how far that is. */
    public long scan(LineSink sink) throws IOException {
        long to = knownLength;
        if (to > 0) {
            new LineReader(source(), lineBytes, sink, (offset, buffer, start, length) -> {}).read(0, to);
        }
        return to;
    }

    /** Hands over the lines of a stretch that begins and ends with a line. */
    public void scan(long from, long to, LineSink sink) throws IOException {
        new LineReader(source(), lineBytes, sink, (offset, buffer, start, length) -> {}).read(from, to);
    }

    /** Where its last line ends, if nothing unfinished follows and the line has its end; -1 otherwise. */
    public long end() {
        return tailIsOpen || knownLength != parsedLength ? -1 : parsedLength;
    }

    /** Writes a stretch of the file as it stands to another; returns how much of it there was. */
    public long copy(long from, long to, FileSystem.Output out) throws IOException {
        byte[] chunk = new byte[(int) Math.min(COPIED_BYTES, Math.max(1, to - from))];
        long at = from;
        while (at < to) {
            int read = source().read(at, chunk, 0, (int) Math.min(chunk.length, to - at));
            if (read <= 0) {
                break;
            }
            out.write(chunk, 0, read);
            at += read;
        }
        return at - from;
    }

    /** Learns what is in a file that will be renamed to this one; again, what was added to it since. */
    public void learnAhead(Path temporary, LineSink sink) throws IOException {
        FileSystem.Stat stat = disk.stat(temporary);
        if (stat == null) {
            throw new IOException(temporary + " is gone");
        }
        if (source == null) {
            source = disk.open(temporary);
        }
        key = stat.key();
        readOn(source(), stat.length(), sink);
    }

    /** The lines as they stand in the file, the last first. */
    public ReverseLineReader linesBackward() throws IOException {
        return new ReverseLineReader(this, lineBytes);
    }

    private FileSystem.Input source() throws IOException {
        FileSystem.Input open = source;
        if (open == null) {
            open = disk.open(path);
            source = open;
        }
        return open;
    }

    @Override
    public void close() throws IOException {
        FileSystem.Input in = source;
        FileSystem.Output out = appender;
        source = null;
        appender = null;
        try {
            if (in != null) {
                in.close();
            }
        } finally {
            if (out != null) {
                out.close();
            }
        }
    }

    /** Reads a whole file without keeping anything; returns where an unfinished last line begins, or the length. */
    public static long readAll(FileSystem disk, Path path, int lineBytes, LineSink sink) throws IOException {
        FileSystem.Stat stat = disk.stat(path);
        if (stat == null) {
            return 0;
        }
        try (FileSystem.Input source = disk.open(path)) {
            return new LineReader(source, lineBytes, sink, (offset, buffer, start, length) -> {})
                    .read(0, stat.length());
        }
    }
}
