package dev.xmem.core.base.io;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read, at its path or after it was deleted or replaced there. What {@link #readKnown} reads of a large
 * file is mapped in chunks, all but its last bytes, through a channel that is open for a moment.
 * Decisions: docs/adr/0100-mapped-logs.md, docs/adr/0116-one-look-one-scan.md.
 */
final class NativeInput implements FileSystem.Input {
    /** A file that is smaller when it is opened is never mapped. */
    static final int CHUNK_BYTES = 16 << 20;

    /** How many bytes a log grows by until its last chunk is mapped again. */
    static final int GROWTH_BYTES = 256 << 10;

    /** A shorter range is not read at once but byte by byte, so that a fault in it leaves any byte. */
    private static final int MIN_BYTES = 16;

    /** More arrays than a compiler unrolls: the virtual machine is called to make them. */
    private static final int MANY_ARRAYS = 64;

    private final Path path;
    private final RandomAccessFile file;
    private final ReentrantLock position = new ReentrantLock();
    private final Map<Long, MappedByteBuffer> chunks = new ConcurrentHashMap<>();
    /** The whole steps of growth that the file had when it was last looked at: no more of it is mapped. */
    private volatile long seenLength = -GROWTH_BYTES;

    /** The identity of the open file; null if none of it is mapped. */
    private volatile @Nullable Object key;

    private NativeInput(Path path, RandomAccessFile file, @Nullable Object key) {
        this.path = path;
        this.file = file;
        this.key = key;
    }

    static NativeInput open(Path path) throws IOException {
        Object before = path.toFile().length() < CHUNK_BYTES ? null : keyAt(path);
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "r");
        // the file that was opened is the one that was there before and after
        return new NativeInput(path, file, before != null && before.equals(keyAt(path)) ? before : null);
    }

    /** The identity of the file at a path; null if there is none, or the system has no identities. */
    private static @Nullable Object keyAt(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public int read(long at, byte[] into, int offset, int length) throws IOException {
        position.lock();
        try {
            file.seek(at);
            int read = 0;
            while (read < length) {
                int n = file.read(into, offset + read, length - read);
                if (n < 0) {
                    return read == 0 ? -1 : read;
                }
                read += n;
            }
            return read;
        } finally {
            position.unlock();
        }
    }

    @Override
    public int readKnown(long at, byte[] into, int offset, int length) throws IOException {
        return readMapped(at, into, offset, length) ? length : read(at, into, offset, length);
    }

    @Override
    public boolean readMapped(long at, byte[] into, int offset, int length) {
        MappedByteBuffer chunk = length < MIN_BYTES ? null : chunk(at, length);
        return chunk != null && isCopied(chunk, (int) (at % CHUNK_BYTES), into, offset, length);
    }

    /** The mapped chunk that has all of a range; null if there is none. */
    private @Nullable MappedByteBuffer chunk(long at, int length) {
        long number = at / CHUNK_BYTES;
        long end = at + length;
        if (key == null || (end - 1) / CHUNK_BYTES != number) {
            return null;
        }
        MappedByteBuffer known = chunks.get(number);
        if (known != null && end <= number * CHUNK_BYTES + known.capacity()) {
            return known;
        }
        long seen = seenLength;
        return end > seen && end < seen + GROWTH_BYTES ? null : map(number, end);
    }

    /** Maps a chunk up to its end or that of the file, unless the file at the path is another one by now. */
    private @Nullable MappedByteBuffer map(long number, long end) {
        position.lock(); // one thread maps, and none after the file was closed
        try {
            long from = number * CHUNK_BYTES;
            Object open = key;
            long length = file.length();
            seenLength = length - length % GROWTH_BYTES;
            if (open == null || seenLength < end) {
                return null;
            }
            if (open.equals(keyAt(path))) { // the open file keeps its identity
                long count = Math.min(CHUNK_BYTES, seenLength - from);
                MappedByteBuffer mapped =
                        NativeFileSystem.withChannel(path, new NativeFileSystem.Mapping(path, from, count));
                if (open.equals(keyAt(path))) {
                    chunks.put(number, mapped);
                    return mapped;
                }
            }
        } catch (IOException e) {
            key = null; // the file cannot be mapped: it is read as it is
        } finally {
            position.unlock();
        }
        key = null;
        return null;
    }

    /**
     * Copies bytes of a chunk; false if another program may have made the file shorter. Then the bytes behind its end
     * are zeros up to the end of the page, and further ones are not copied; no line ends with a zero. The virtual
     * machine reports these only when it is called next, so it is called here.
     */
    private static boolean isCopied(MappedByteBuffer chunk, int at, byte[] into, int offset, int length) {
        int last = offset + length - 1;
        into[last] = 0;
        try {
            chunk.get(at, into, offset, length);
            return into[last] != 0 || System.identityHashCode(new byte[MANY_ARRAYS][1]) < 0;
        } catch (InternalError e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        position.lock();
        try {
            key = null;
            chunks.clear();
            file.close();
        } finally {
            position.unlock();
        }
    }
}
