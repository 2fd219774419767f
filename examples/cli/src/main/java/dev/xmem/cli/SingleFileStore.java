package dev.xmem.cli;

import dev.xmem.XMemException;
import dev.xmem.core.XMem;
import dev.xmem.transcripts.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A store for one file that other tools also write. The lock and the index are in a hidden directory beside the file,
 * {@code .NAME.xmem}, which git ignores; it may be deleted while no process writes.
 */
final class SingleFileStore {
    private SingleFileStore() {}

    /**
     * Creates the file, empty, and its directory if they are missing.
     *
     * @return the real path of the file
     */
    static Path createIfMissing(Path file) {
        try {
            Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder");
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, PrivateFiles.ofFolder(folder));
            }
            if (!Files.exists(file)) {
                create(file);
            } else if (Files.isDirectory(file)) {
                throw new FileSystemException(file.toString(), null, "is a directory");
            }
            return file.toRealPath();
        } catch (IOException e) {
            throw new XMemException.Io(file, e);
        }
    }

    private static void create(Path file) throws IOException {
        try {
            Files.createFile(file, PrivateFiles.attributes(file));
        } catch (FileAlreadyExistsException e) {
            if (Files.isSymbolicLink(file)) {
                throw e; // a dangling link
            }
        }
    }

    /** The real path of the file if it exists: a file has one lock, whatever path leads to it. */
    static Path realPath(Path file) {
        try {
            return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        } catch (IOException e) {
            throw new XMemException.Io(file, e);
        }
    }

    /** A read-only store for a file. */
    static XMem.Builder readOnly(Path file) {
        return XMem.builder(directory(file)).readOnly();
    }

    /** A writable store for a file; creates its hidden directory. */
    static XMem.Builder writable(Path file) {
        Path folder = directory(file);
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder, PrivateFiles.ofFolder(folder));
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

    private static Path directory(Path file) {
        return file.resolveSibling("." + file.getFileName() + ".xmem");
    }
}
