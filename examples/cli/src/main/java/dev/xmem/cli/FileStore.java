package dev.xmem.cli;

import dev.xmem.XMemException;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * A store around one file that other tools keep too. What the library needs besides, a lock and an index, is in one
 * hidden folder beside the file, {@code .NAME.xmem}, which git does not see; it may be deleted while nobody writes.
 */
final class FileStore {
    private FileStore() {}

    /** Makes the file, empty, and its folder, if they are not there. Returns where it really is. */
    static Path touched(Path file) {
        try {
            Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder");
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, mode(folder, "rwx------"));
            }
            if (!Files.exists(file)) {
                create(file);
            } else if (Files.isDirectory(file)) {
                throw new FileSystemException(file.toString(), null, "is a folder");
            }
            return file.toRealPath();
        } catch (IOException e) {
            throw new XMemException.Io(file, e);
        }
    }

    private static void create(Path file) throws IOException {
        try {
            Files.createFile(file, mode(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            if (Files.isSymbolicLink(file)) {
                throw e; // it leads nowhere
            }
        }
    }

    /** Where the file really is, if it is there. One file has one lock, by whatever name it is called. */
    static Path real(Path file) {
        try {
            return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        } catch (IOException e) {
            throw new XMemException.Io(file, e);
        }
    }

    /** A store beside a file, only to be read. */
    static XMem.Builder reading(Path file) {
        return XMem.builder(beside(file)).readOnly();
    }

    /** A store beside a file, to be written to. */
    static XMem.Builder writing(Path file) {
        Path folder = beside(file);
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, mode(folder, "rwx------"));
            }
            Path ignore = folder.resolve(".gitignore");
            if (!Files.exists(ignore)) {
                Files.write(ignore, "*\n".getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new XMemException.Io(folder, e);
        }
        return XMem.builder(folder);
    }

    private static Path beside(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".xmem");
    }

    private static FileAttribute<?>[] mode(Path path, String permissions) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
