package dev.xmem.core.base.io;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
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
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of the operating system. With a root, it follows no symbolic link that leads out of the root, also none
 * that is created while a store is open. Stateless, except for the locks that {@link InterProcessLock} shares.
 * Decision: docs/adr/0005-no-file-channel-io.md.
 */
public final class NativeFileSystem implements FileSystem {
    private static final int NAMES = 3;

    private final @Nullable Path root;

    /** Creates a file system without a root. */
    public NativeFileSystem() {
        this(null);
    }

    private NativeFileSystem(@Nullable Path root) {
        this.root = root;
    }

    @Override
    public FileSystem within(Path folder) {
        return new NativeFileSystem(folder);
    }

    private void check(Path file) throws IOException {
        if (root != null) {
            confine(root, file);
        }
    }

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

    /** Cheaper than {@link #stat} if there is no file, the common case for the log of a kind that is not used. */
    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public boolean isPlain(Path file) {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether there is a folder that is no link. */
    public boolean isFolder(Path folder) {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether two files belong to one user; true if the system does not say. */
    public boolean haveOneOwner(Path one, Path other) throws IOException {
        try {
            return Files.getOwner(one).equals(Files.getOwner(other));
        } catch (UnsupportedOperationException e) {
            return true;
        }
    }

    @Override
    public Output append(Path file) throws IOException {
        check(file);
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            createDirectories(folder);
        }
        if (Files.notExists(file)) {
            try {
                Files.createFile(file, mode(file, "rw-------"));
            } catch (FileAlreadyExistsException e) {
                // another process created it in the meantime
            }
        }
        return new NativeOutput(file, new FileOutputStream(file.toFile(), true));
    }

    @Override
    public Input open(Path file) throws IOException {
        check(file);
        return NativeInput.open(file);
    }

    @Override
    public ByteBuffer map(Path file) throws IOException {
        check(file);
        return withChannel(file, new Mapping(file, 0, -1));
    }

    interface ChannelAction<T> {
        T on(FileChannel channel) throws IOException;
    }

    /** Maps a range of a file; up to its end if the length is negative. */
    record Mapping(Path file, long from, long length) implements ChannelAction<MappedByteBuffer> {
        @Override
        public MappedByteBuffer on(FileChannel channel) throws IOException {
            long count = length < 0 ? mappable(file, channel.size()) : length;
            return channel.map(FileChannel.MapMode.READ_ONLY, from, count);
        }
    }

    /** Opens a channel to read; again if an interrupt closes it. The interrupt is kept for later. */
    static <T> T withChannel(Path file, ChannelAction<T> action) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    return action.on(channel);
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
        replace(file, content, null);
    }

    @Override
    public void replace(Path file, ContentWriter content) throws IOException {
        replace(file, new byte[0], content);
    }

    private void replace(Path file, byte[] begin, @Nullable ContentWriter rest) throws IOException {
        check(file);
        Path target = target(file);
        Path temporary = target.resolveSibling(target.getFileName() + ".tmp-"
                + ProcessHandle.current().pid() + "-" + Thread.currentThread().getId());
        Files.deleteIfExists(temporary);
        try {
            Files.createFile(temporary, mode(file, "rw-------"));
            try (FileOutputStream out = new FileOutputStream(temporary.toFile())) {
                out.write(begin);
                if (rest != null) {
                    rest.writeTo(out);
                }
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
        check(from);
        check(to);
        Files.move(from, target(to), StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void syncName(Path file) throws IOException {
        check(file);
        forceFolder(target(file).toAbsolutePath().getParent());
    }

    private static Path target(Path file) throws IOException {
        return Files.isSymbolicLink(file) ? file.toRealPath() : file;
    }

    @Override
    public void delete(Path file) throws IOException {
        check(file);
        if (Files.deleteIfExists(file)) {
            forceFolder(file.toAbsolutePath().getParent());
        }
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        check(folder);
        createDirectories(folder);
    }

    private static void createDirectories(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode(folder, "rwx------"));
        }
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        check(folder);
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
    public void confine(Path folder, Path path) throws IOException {
        Path existing = path;
        while (existing != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
            existing = existing.getParent();
        }
        if (existing == null || !existing.startsWith(folder) || !Files.exists(folder)) {
            return;
        }
        if (!existing.toRealPath().startsWith(folder.toRealPath())) {
            throw new FileSystemException(path.toString(), null, "is a symbolic link that leads out of the store");
        }
    }

    @Override
    public FileLock lock(Path file) throws IOException {
        check(file);
        return InterProcessLock.open(file);
    }

    /** The permissions of a new file, where the file system has POSIX permissions. */
    static FileAttribute<?>[] mode(Path path, String permissions) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Makes the names in a folder durable, if this process may read the folder. */
    private static void forceFolder(@Nullable Path folder) throws IOException {
        if (folder != null) {
            try {
                withChannel(folder, channel -> {
                    channel.force(true);
                    return channel;
                });
            } catch (AccessDeniedException e) {
                // best effort
            }
        }
    }

    /**
     * A number of the operating system's random number generator. {@link SecureRandom} uses it too, but takes longer to
     * create than a store to open.
     */
    public static long randomLong() {
        try (InputStream in = new FileInputStream("/dev/urandom")) {
            byte[] bytes = in.readNBytes(Long.BYTES);
            if (bytes.length == Long.BYTES) {
                return ByteBuffer.wrap(bytes).getLong();
            }
        } catch (IOException e) {
            // This system has another generator.
        }
        return new SecureRandom().nextLong();
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
         * The first call also makes the names durable: of the file, of the data folder, of the store. The process that
         * created them may have ended before it did so.
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
}
