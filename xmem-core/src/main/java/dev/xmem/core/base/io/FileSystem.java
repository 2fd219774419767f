package dev.xmem.core.base.io;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All file operations of the engine. Thread-safe. No operation ends because of an interrupt; the interrupt status is
 * kept.
 */
public interface FileSystem {
    /** The status of a file or folder; null if there is none. */
    @Nullable Stat stat(Path file) throws IOException;

    /** Whether there is a file or folder. */
    default boolean exists(Path file) throws IOException {
        return stat(file) != null;
    }

    /** Whether there is a regular file: no link, no folder, and nothing that blocks a reader, such as a pipe. */
    default boolean isPlain(Path file) throws IOException {
        return exists(file);
    }

    /** Opens a file to write at its end; creates it (mode 0600) and its folders (mode 0700) if needed. */
    Output append(Path file) throws IOException;

    /** Opens a file to read at any position. */
    Input open(Path file) throws IOException;

    /** Reads a range of a file; shorter than requested if the file ends before. */
    default byte[] read(Path file, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (Input source = open(file)) {
            int read = Math.max(0, source.read(from, bytes, 0, length));
            return read == length ? bytes : Arrays.copyOf(bytes, read);
        }
    }

    /** Maps a file that is never changed in place. The buffer stays valid when the file is deleted. */
    default ByteBuffer map(Path file) throws IOException {
        Stat stat = stat(file);
        if (stat == null) {
            throw new NoSuchFileException(file.toString());
        }
        if (stat.length() > Integer.MAX_VALUE - 8) {
            throw new FileSystemException(file.toString(), null, "is too long: " + stat.length() + " bytes");
        }
        return ByteBuffer.wrap(read(file, 0, (int) stat.length()));
    }

    /** Replaces a file atomically: temporary file, fsync, rename, fsync of the folder. */
    void replace(Path file, byte[] content) throws IOException;

    /** As {@link #replace(Path, byte[])}, with content of any length that is written piece by piece. */
    default void replace(Path file, ContentWriter content) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        content.writeTo(out);
        replace(file, out.toByteArray());
    }

    /**
     * Renames a file or folder atomically within its file system, replacing what has the new name. The new name is
     * durable after {@link #syncName}. The caller must have made the content durable before.
     */
    void rename(Path from, Path to) throws IOException;

    /** Makes the name of a file durable; if it is a link, the name of its target. */
    void syncName(Path file) throws IOException;

    /** Like {@link #rename}, and makes both names durable. */
    default void move(Path from, Path to) throws IOException {
        rename(from, to);
        syncName(to);
        Path before = from.getParent();
        if (before != null && !before.equals(to.getParent())) {
            syncFolder(before);
        }
    }

    /** Deletes a file or an empty folder, if there is one. */
    void delete(Path file) throws IOException;

    /** Creates a folder and its parents (mode 0700). */
    void createFolders(Path folder) throws IOException;

    /** Makes the names in a folder durable, if there is such a folder. */
    void syncFolder(Path folder) throws IOException;

    /** The files and folders in a folder, sorted; empty if there is no folder. */
    List<Path> list(Path folder) throws IOException;

    /** A file system that refuses symbolic links out of a root for all paths in it; this one, if it has no links. */
    default FileSystem within(Path root) {
        return this;
    }

    /** Throws an exception if the path is, or leads through, a symbolic link out of the root. */
    default void confine(Path root, Path path) throws IOException {}

    /** Opens a lock file. */
    FileLock lock(Path file) throws IOException;

    /** What a file is to have. */
    interface ContentWriter {
        /** Writes all of it. */
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * The status of a file.
     *
     * @param length its length in bytes
     * @param key its identity: changes when another file takes its place
     * @param modifiedMillis when it was last written; of a folder, when a file was last created or deleted in it
     */
    record Stat(long length, Object key, long modifiedMillis) {}

    /** Writes at the end of a file. Used by one thread at a time. */
    interface Output extends Closeable {
        /** Writes the bytes, with one call of the operating system if it accepts them all. */
        void write(byte[] bytes, int offset, int length) throws IOException;

        /** Makes all written bytes and the names of the file durable. May run concurrently with {@link #write}. */
        void force() throws IOException;
    }

    /** Reads a file at any position. Thread-safe. */
    interface Input extends Closeable {
        /** Reads up to {@code length} bytes, fewer only at the end of the file; returns -1 at its end. */
        int read(long position, byte[] into, int offset, int length) throws IOException;

        /**
         * As {@link #read}, of a range that was in the file before. Takes no call of the operating system where the
         * range is mapped.
         */
        default int readKnown(long position, byte[] into, int offset, int length) throws IOException {
            return read(position, into, offset, length);
        }

        /** Reads a range as {@link #readKnown} does if it is mapped; false if it is not, and nothing was read. */
        default boolean readMapped(long position, byte[] into, int offset, int length) throws IOException {
            return false;
        }
    }

    /** A lock file: mutual exclusion between threads, stores and processes. */
    interface FileLock extends Closeable {
        /** Acquires the lock; false if the timeout elapses first. */
        boolean acquire(long timeoutNanos) throws IOException;

        /**
         * Whether there may have been another holder between the last two acquisitions of this one. If not, no writer
         * that respects the lock changed anything in between. Called by the thread that holds the lock.
         */
        boolean changedHands();

        /** Releases the lock. Called by the thread that holds it. */
        void release() throws IOException;
    }
}
