package dev.xmem.core.base.io;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The operating system's files. Stateless but for the mutexes, which {@link InterProcessLock} shares within the JVM. */
public final class NativeFileSystem implements FileSystem {
    private static final int NAMES = 3;

    @Override
    public @Nullable Stat stat(Path file) throws IOException {
        try {
            BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
            if (a.isOther()) {
                throw new FileSystemException(file.toString(), null, "is neither a file nor a folder");
            }
            Object key = a.fileKey();
            return new Stat(
                    a.size(), key == null ? file : key, a.lastModifiedTime().toMillis());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Cheaper than {@link #stat} where there is none, which is the common case for a log of a kind that is not used. */
    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public boolean isPlain(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public Output append(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            createFolders(folder);
        }
        if (Files.notExists(file)) {
            try {
                Files.createFile(file, mode(file, "rw-------"));
            } catch (FileAlreadyExistsException e) {
                // another process made it in the meantime: as good
            }
        }
        return new NativeOutput(file, new FileOutputStream(file.toFile(), true));
    }

    @Override
    public Input open(Path file) throws IOException {
        return new NativeInput(new RandomAccessFile(file.toFile(), "r"));
    }

    /** An interrupt would close the channel: it is put off. */
    @Override
    public ByteBuffer map(Path file) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    return channel.map(FileChannel.MapMode.READ_ONLY, 0, mappable(file, channel.size()));
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static long mappable(Path file, long size) throws IOException {
        if (size > Integer.MAX_VALUE) {
            throw new FileSystemException(file.toString(), null, "is too long to be mapped: " + size + " bytes");
        }
        return size;
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        Path target = target(file);
        Path temporary = target.resolveSibling(target.getFileName() + ".tmp-"
                + ProcessHandle.current().pid() + "-" + Thread.currentThread().getId());
        Files.deleteIfExists(temporary);
        try {
            Files.createFile(temporary, mode(file, "rw-------"));
            try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
                out.write(content);
                out.getFD().sync();
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        forceFolder(target.toAbsolutePath().getParent());
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, target(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void syncName(Path file) throws IOException {
        forceFolder(target(file).toAbsolutePath().getParent());
    }

    private static Path target(Path file) throws IOException {
        return Files.isSymbolicLink(file) ? file.toRealPath() : file;
    }

    @Override
    public void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            forceFolder(file.toAbsolutePath().getParent());
        }
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode(folder, "rwx------"));
        }
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            forceFolder(folder);
        }
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        List<Path> list = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                list.add(file);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        Collections.sort(list);
        return list;
    }

    @Override
    public void confine(Path root, Path path) throws IOException {
        Path existing = path;
        while (existing != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            existing = existing.getParent();
        }
        if (existing == null || !existing.startsWith(root) || !Files.exists(root)) {
            return;
        }
        if (!existing.toRealPath().startsWith(root.toRealPath())) {
            throw new FileSystemException(path.toString(), null, "is a symbolic link that leads out of the store");
        }
    }

    @Override
    public FileLock mutex(Path file) throws IOException {
        return InterProcessLock.open(file);
    }

    private static FileAttribute<?>[] mode(Path path, String permissions) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Makes the names in a folder durable. Best effort where the folder may not be read. */
    private static void forceFolder(@Nullable Path folder) throws IOException {
        boolean interrupted = false;
        try {
            while (folder != null) {
                interrupted |= Thread.interrupted();
                try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    channel.force(true);
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                } catch (AccessDeniedException e) {
                    return;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class NativeOutput implements Output {
        private final Path file;
        private final FileOutputStream out;
        private boolean named;

        NativeOutput(Path file, FileOutputStream out) {
            this.file = file;
            this.out = out;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        /**
         * The first time also the names: of the file, of the store's folder for data, of the store. Whoever made them may
         * have been stopped before they were durable.
         */
        @Override
        public void force() throws IOException {
            out.getFD().sync();
            if (!named) {
                Path folder = file.toRealPath().getParent();
                for (int i = 0; i < NAMES && folder != null; i++) {
                    forceFolder(folder);
                    folder = folder.getParent();
                }
                named = true;
            }
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    private static final class NativeInput implements Input {
        private final ReentrantLock position = new ReentrantLock();
        private final RandomAccessFile file;

        NativeInput(RandomAccessFile file) {
            this.file = file;
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
        public void close() throws IOException {
            file.close();
        }
    }
}
