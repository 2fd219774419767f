package dev.xmem.core.store.log;

import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.io.ByteCache;
import dev.xmem.core.base.io.FileSystem;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One NDJSON log: reads the lines in it and those that other processes append, appends lines, and returns ranges of
 * bytes.
 *
 * <p>An object stands for one file as long as that file only grows. If {@link #refresh} finds that the file was
 * replaced, truncated or changed, a new object takes over; readers of the old object still read the bytes it knows.
 * {@link #refresh} and {@link #append} are called by one thread at a time, {@link #looksChanged} and the methods that
 * read by any thread.
 *
 * <h2>State</h2>
 * {@code knownLength} is the length of the file at the last refresh or append. {@code parsedLength} is the part of it
 * that was split into lines and given to a {@link LineSink}; the bytes between the two are the tail of an unfinished
 * line:
 *
 * <pre>
 *   0                    parsedLength    knownLength      length on disk
 *   | lines given to a sink |  tail, if any  |  not read yet   |
 * </pre>
 *
 * {@link Tail} says how the known part ends. Only there can an append or a refresh find something unexpected:
 *
 * <pre>{@code
 *             parsedLength     file ends with      append                               refresh of a longer file
 *   COMPLETE  = knownLength    a newline           writes its lines                     reads the new lines
 *   OPEN      = knownLength    an unended entry    writes a newline first               REPLACED unless it is ended now
 *   BLANK     < knownLength    blanks              writes a newline first               reads from parsedLength again
 *   TORN      < knownLength    part of a line      writes a newline, reports the tail   reads from parsedLength again
 * }</pre>
 *
 * After every append the state is COMPLETE. {@code key} is the identity of the file; it is null as long as there is no
 * file. After a failed fsync ({@code lostSync}), the object never appends again.
 * Decision: docs/adr/0001-plain-files.md.
 */
public final class LogFile implements Closeable {
    private static final int COMPARED_BYTES = 512;
    private static final int COPIED_BYTES = 256 << 10;

    private final FileSystem files;
    private final Path path;
    private final int lineBytes;
    private final BlockCache blocks;
    private final @Nullable Parts merged;

    private FileSystem.@Nullable Output appender;
    private @Nullable Object appenderKey;
    private volatile FileSystem.@Nullable Input source;
    private volatile @Nullable PartsInput view;
    private volatile @Nullable IOException lostSync;
    private final ReentrantLock syncing = new ReentrantLock();
    private long syncedTo;
    private long parsedLength;
    private Tail tail = Tail.COMPLETE;
    private volatile @Nullable Object key;
    private volatile long knownLength;

    /** Several files that are read as one, which is not appended to. Thread-safe. */
    public interface Parts {
        /** The state of the whole; its key changes when it is not what it was. Null if there is none. */
        FileSystem.@Nullable Stat stat() throws IOException;

        /** Opens the whole; what is read grows with it, until its key changes. */
        PartsInput open() throws IOException;

        /** Says that the line at an offset has the bytes of an earlier one. */
        void repeated(long earlier, long later);

        /** Keeps what the order of the parts depends on. */
        void save() throws IOException;
    }

    /** Reads several files as one. */
    public interface PartsInput extends FileSystem.Input {
        /** The owner of the line at an offset. */
        Origin origin(long offset);

        /** Whether another replica whose name begins so owns a part. */
        boolean hasOwner(String replica);
    }

    /** The result of {@link #refresh}. */
    public enum Change {
        /** There are no new lines. */
        NONE,
        /** The file grew; the sink received the new lines. */
        GREW,
        /** It is not the file that was read before. The sink received nothing. */
        REPLACED
    }

    /** How the known part of the file ends; see the table above. */
    private enum Tail {
        COMPLETE,
        OPEN,
        BLANK,
        TORN
    }

    /** Creates the object of a log that may not exist yet. */
    public LogFile(FileSystem files, Path path, int lineBytes, long tailBytes, ByteCache cache, ReadStats reads) {
        this(files, path, lineBytes, tailBytes, cache, reads, null);
    }

    /** Creates the object of several logs that are read as one and not appended to, under a path that is no file. */
    public LogFile(FileSystem files, Parts merged, Path path, int lineBytes, ByteCache cache, ReadStats reads) {
        this(files, path, lineBytes, 0, cache, reads, merged);
    }

    private LogFile(
            FileSystem files,
            Path path,
            int lineBytes,
            long tailBytes,
            ByteCache cache,
            ReadStats reads,
            @Nullable Parts merged) {
        this.merged = merged;
        this.files = files;
        this.path = path;
        this.lineBytes = lineBytes;
        this.blocks = new BlockCache(tailBytes, cache, reads);
    }

    /** The path of the file. */
    public Path path() {
        return path;
    }

    /** The identity of the file; null as long as there is none. */
    public @Nullable Object key() {
        return key;
    }

    /** The longest line that is read, in bytes. */
    public int lineBytes() {
        return lineBytes;
    }

    /** Starts at an offset up to which an index knows the file already. Called before any other method. */
    public void seek(long offset) throws IOException {
        FileSystem.Input from = source();
        long aligned = offset - offset % BlockCache.BLOCK_BYTES;
        byte[] before = new byte[(int) (offset - aligned)];
        if (from.read(aligned, before, 0, before.length) < before.length) {
            throw new IOException(path + " is shorter than before");
        }
        blocks.add(aligned, before, 0, before.length);
        parsedLength = offset;
        knownLength = offset;
    }

    /** Reads bytes from the file, past all caches; returns their number, or -1 at its end. */
    public int readRaw(long offset, byte[] into, int length) throws IOException {
        return readRaw(offset, into, 0, length);
    }

    /** As {@link #readRaw(long, byte[], int)}, into an array from a place on. */
    public int readRaw(long offset, byte[] into, int start, int length) throws IOException {
        return source().read(offset, into, start, length);
    }

    /** As {@link #readRaw(long, byte[], int)}, of a line that was in the file before. */
    public int readKnown(long offset, byte[] into, int length) throws IOException {
        return source().readKnown(offset, into, 0, length);
    }

    /** Whether a byte order mark is at an offset. It is no part of a line if it begins the file. */
    public boolean hasByteOrderMark(long offset) throws IOException {
        byte[] mark = new byte[LineReader.BYTE_ORDER_MARK.length];
        return readRaw(offset, mark, mark.length) == mark.length && Arrays.equals(mark, LineReader.BYTE_ORDER_MARK);
    }

    /** The length of the known part, in bytes. */
    public long length() {
        return knownLength;
    }

    /** The state of the file now; null if there is none. */
    public FileSystem.@Nullable Stat status() throws IOException {
        return merged != null ? merged.stat() : files.exists(path) ? files.stat(path) : null;
    }

    /** The other replica that wrote the line at an offset. Only for logs that are read as one. */
    public Origin origin(long offset) {
        PartsInput read = view;
        if (read == null) {
            throw new IllegalStateException(path + " has one owner, or was not read");
        }
        return read.origin(offset);
    }

    /** Whether another replica whose name begins so wrote lines. */
    public boolean hasOwner(String replica) {
        PartsInput read = view;
        return read != null && read.hasOwner(replica);
    }

    /** Says that the line at an offset has the bytes of an earlier one. */
    public void repeated(long earlier, long later) {
        if (merged != null) {
            merged.repeated(earlier, later);
        }
    }

    /** Keeps what the segments of the file depend on, before they are written. */
    public void save() throws IOException {
        if (merged != null) {
            merged.save();
        }
    }

    /** Whether the length or the identity of the file differs from the known ones. */
    public boolean looksChanged() throws IOException {
        FileSystem.Stat stat = stat();
        return stat == null
                ? key != null
                : stat.length() != knownLength || !stat.key().equals(key);
    }

    private FileSystem.@Nullable Stat stat() throws IOException {
        if (merged != null) {
            return merged.stat();
        }
        return key == null && !files.exists(path) ? null : files.stat(path);
    }

    /** Reads the lines that were added since the last call. */
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
        FileSystem.Input from = source();
        if (!startsAsKnown(from)) {
            return Change.REPLACED;
        }
        key = stat.key();
        readOn(from, stat.length(), sink);
        return Change.GREW;
    }

    private void readOn(FileSystem.Input from, long to, LineSink sink) throws IOException {
        LineReader reader = new LineReader(from, lineBytes, sink, blocks);
        long parsed = reader.read(parsedLength, to);
        sink.end();
        parsedLength = parsed;
        if (parsedLength == to) {
            tail = reader.unended() ? Tail.OPEN : Tail.COMPLETE;
        } else {
            tail = reader.unended() || to - parsedLength > lineBytes ? Tail.TORN : Tail.BLANK;
        }
        knownLength = to;
    }

    /** Whether the bytes before the new ones are the known ones: edits in place and merges change them. */
    private boolean startsAsKnown(FileSystem.Input from) throws IOException {
        int count = (int) Math.min(COMPARED_BYTES, parsedLength);
        byte[] now = new byte[count + 1];
        int read = from.read(parsedLength - count, now, 0, count + 1);
        if (count > 0
                && (read < count
                        || !Arrays.equals(now, 0, count, blocks.read(from, parsedLength - count, count), 0, count))) {
            return false;
        }
        return tail != Tail.OPEN || read <= count || now[count] == '\n' || now[count] == '\r';
    }

    /**
     * Appends lines with one write. The caller holds the store's lock and has refreshed this object since it took it.
     *
     * @param bytes contains a newline, then the lines, each with its newline; the first newline is written only if the
     *     file does not end with one
     * @param start the index of the first newline
     * @param length the number of bytes, including the first newline
     * @return the offset of the first line in the file
     */
    public long append(byte[] bytes, int start, int length, LineSink sink) throws IOException {
        refuseAfterLostSync();
        FileSystem.Output out = appender();
        int skipped = tail == Tail.COMPLETE ? 1 : 0;
        int from = start + skipped;
        int count = length - skipped;
        // The commit point: when this write returns, the lines are in the log.
        out.write(bytes, from, count);
        if (tail == Tail.TORN) {
            sink.malformed(
                    parsedLength,
                    knownLength - parsedLength,
                    "is torn: a write was cut off, or the newline is missing");
        }
        long first = knownLength + 1 - skipped;
        blocks.add(knownLength, bytes, from, count);
        parsedLength = knownLength + count;
        knownLength = parsedLength;
        tail = Tail.COMPLETE;
        return first;
    }

    private FileSystem.Output appender() throws IOException {
        if (appender != null && appenderKey != null && appenderKey.equals(key)) {
            return appender;
        }
        if (appender != null) {
            appender.close();
        }
        FileSystem.Output opened = files.append(path);
        appender = opened;
        FileSystem.Stat stat = files.stat(path);
        appenderKey = stat == null ? null : stat.key();
        if (key == null) {
            key = appenderKey;
        }
        return opened;
    }

    /** Makes all appended lines durable. After a failure, this object never appends again. */
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

    /** An fsync after a failed one may succeed although the bytes of the failed one are lost. */
    private void refuseAfterLostSync() throws IOException {
        IOException lost = lostSync;
        if (lost != null) {
            throw new IOException("an earlier fsync failed; open the store again", lost);
        }
    }

    /** Makes the log durable up to a length. Callers that wait while an fsync runs share the next one. */
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

    /** Reads a range of the known part. */
    public byte[] read(long offset, int length) throws IOException {
        return blocks.read(source(), offset, length);
    }

    /** Reads a line at a position from an index, which may be wrong. */
    public byte[] readLine(long offset, int length) throws IOException {
        if (offset < 0 || length < 0 || length > lineBytes) {
            throw new LogChangedException(path + " has no line of " + length + " bytes at " + offset + "; try again");
        }
        return read(offset, length);
    }

    /** Reads adjacent lines, at a position from an index, to the beginning of an array. */
    public void readLines(long offset, byte[] into, int length) throws IOException {
        if (offset < 0) {
            throw new LogChangedException(path + " has no lines at " + offset + "; try again");
        }
        blocks.read(source(), offset, into, length);
    }

    /** Reads all lines of the known part; returns its length. */
    public long scan(LineSink sink) throws IOException {
        long to = knownLength;
        if (to > 0) {
            scan(0, to, sink);
        }
        return to;
    }

    /** Reads the lines of a range that begins and ends at line boundaries. */
    public void scan(long from, long to, LineSink sink) throws IOException {
        new LineReader(source(), lineBytes, sink, null).read(from, to);
    }

    /** The end of the last line if the known part ends with a newline or is empty; else -1. */
    public long end() {
        return tail == Tail.COMPLETE ? parsedLength : -1;
    }

    /** Copies a range of the file; returns the number of bytes, less than the range at the end of the file. */
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

    /** Reads a file that will be renamed to this one; in later calls, what was added to it since. */
    public void indexAhead(Path temporary, LineSink sink) throws IOException {
        long length = openAhead(temporary);
        readOn(source(), length, sink);
    }

    /** Opens a file that will be renamed to this one; returns its length. */
    public long openAhead(Path temporary) throws IOException {
        FileSystem.Stat stat = files.stat(temporary);
        if (stat == null) {
            throw new IOException(temporary + " is gone");
        }
        if (source == null) {
            source = files.open(temporary);
        }
        key = stat.key();
        return stat.length();
    }

    /** Returns a reader of all lines, the last first. */
    public ReverseLineReader linesBackward() throws IOException {
        return new ReverseLineReader(this, lineBytes);
    }

    private FileSystem.Input source() throws IOException {
        FileSystem.Input open = source;
        if (open == null) {
            view = merged == null ? null : merged.open();
            open = view != null ? view : files.open(path);
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

    /**
     * Reads a file without an object for it; returns the start of an unfinished last line, or the length of the file.
     */
    public static long readAll(FileSystem files, Path path, int lineBytes, LineSink sink) throws IOException {
        FileSystem.Stat stat = files.stat(path);
        if (stat == null) {
            return 0;
        }
        try (FileSystem.Input source = files.open(path)) {
            return new LineReader(source, lineBytes, sink, null).read(0, stat.length());
        }
    }
}
