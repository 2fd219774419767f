package dev.xmem.core.base.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All file operations of the engine. Thread-safe; an interrupt is kept and not answered. */
public interface FileSystem {
    /** What a file or folder is right now; null if there is none. */
    @Nullable Stat stat(Path file) throws IOException;

    /** Whether there is a file. */
    default boolean exists(Path file) throws IOException {
        return stat(file) != null;
    }

    /** Whether there is a plain file: no link, no folder, nothing that blocks who reads it. */
    default boolean isPlain(Path file) throws IOException {
        return exists(file);
    }

    /** Opens a file to write at its end, making it (mode 0600) and its folders (0700) if needed. */
    Output append(Path file) throws IOException;

    /** Opens a file to read anywhere. */
    Input open(Path file) throws IOException;

    /** The bytes of a file that is never changed in place, for as long as somebody reads them, also when it was deleted. */
    default ByteBuffer map(Path file) throws IOException {
        Stat stat = stat(file);
        if (stat == null) {
            throw new NoSuchFileException(file.toString());
        }
        if (stat.length() > Integer.MAX_VALUE - 8) {
            throw new FileSystemException(file.toString(), null, "is too long: " + stat.length() + " bytes");
        }
        byte[] bytes = new byte[(int) stat.length()];
        try (Input source = open(file)) {
            return ByteBuffer.wrap(bytes, 0, Math.max(0, source.read(0, bytes, 0, bytes.length)));
        }
    }

    /** Puts a file in place as a whole: temporary file, fsync, rename, fsync of the folder. */
    void replace(Path file, byte[] content) throws IOException;

    /**
     * Gives a file, or a folder with what is in it, another name in its file system, in place of what had that name, as one
     * step. It lasts when {@link #syncName} returned. The content is the caller's to have forced.
     */
    void rename(Path from, Path to) throws IOException;

    /** Returns when the name of a file is on the medium: of the one that it leads to, where it is a link. */
    void syncName(Path file) throws IOException;

    /** As {@link #rename}, and lasts: fsync of the folders. */
    default void move(Path from, Path to) throws IOException {
        rename(from, to);
        syncName(to);
        Path before = from.getParent();
        if (before != null && !before.equals(to.getParent())) {
            syncFolder(before);
        }
    }

    /** Removes a file or an empty folder, if there is one. */
    void delete(Path file) throws IOException;

    /** Makes a folder and its parents (mode 0700). */
    void createFolders(Path folder) throws IOException;

    /** Returns when the names in a folder are on the medium, if there is such a folder. */
    void syncFolder(Path folder) throws IOException;

    /** The files and folders in a folder, sorted; empty if there is no folder. */
    List<Path> list(Path folder) throws IOException;

    /** Fails if the path is, or leads through, a symbolic link out of the root. */
    void confine(Path root, Path path) throws IOException;

    /** The mutex that this file stands for, shared with every process that opens it. */
    FileLock mutex(Path file) throws IOException;

    /**
     * What a file is.
     *
     * @param length its length in bytes
     * @param key which file it is: changes when another one is put in its place
     * @param modifiedMillis when it was last written; of a folder, when a file was last made or removed in it
     */
    record Stat(long length, Object key, long modifiedMillis) {}

    /** Writes at the end of a file. Used by one thread at a time. */
    interface Output extends Closeable {
        /** Writes all of it with one call to the operating system where that takes it. */
        void write(byte[] bytes, int offset, int length) throws IOException;

        /** Returns when everything written is on the medium, and the names that lead to it. May run beside {@link #write}. */
        void force() throws IOException;
    }

    /** Reads a file at any position. Thread-safe. */
    interface Input extends Closeable {
        /** Reads up to {@code length} bytes, fewer only at the end of the file; -1 when nothing is there. */
        int read(long position, byte[] into, int offset, int length) throws IOException;
    }

    /** Mutual exclusion between threads, stores and processes. */
    interface FileLock extends Closeable {
        /** Waits for at most so long; false if it was not had. */
        boolean acquire(long timeoutNanos) throws IOException;

        /**
         * Whether another holder may have had it between this one's last two acquisitions: if not, nobody who keeps to the
         * mutex changed anything. By the thread that has it.
         */
        boolean changedHands();

        /** Gives it back. By the thread that has it. */
        void release() throws IOException;
    }
}
