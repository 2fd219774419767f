package dev.xmem.core.base.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A disk on which no symbolic link is followed out of a root, also none that appears while a store is open. Thread-safe.
 *
 * @param disk the files
 * @param root what is not left by a link; files named elsewhere are not confined
 */
public record SandboxedFileSystem(FileSystem disk, Path root) implements FileSystem {
    @Override
    public @Nullable Stat stat(Path file) throws IOException {
        return disk.stat(file);
    }

    @Override
    public boolean exists(Path file) throws IOException {
        return disk.exists(file);
    }

    @Override
    public boolean isPlain(Path file) throws IOException {
        return disk.isPlain(file);
    }

    @Override
    public Output append(Path file) throws IOException {
        disk.confine(root, file);
        return disk.append(file);
    }

    @Override
    public Input open(Path file) throws IOException {
        disk.confine(root, file);
        return disk.open(file);
    }

    @Override
    public ByteBuffer map(Path file) throws IOException {
        disk.confine(root, file);
        return disk.map(file);
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        disk.confine(root, file);
        disk.replace(file, content);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        disk.confine(root, from);
        disk.confine(root, to);
        disk.rename(from, to);
    }

    @Override
    public void syncName(Path file) throws IOException {
        disk.confine(root, file);
        disk.syncName(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        disk.confine(root, file);
        disk.delete(file);
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        disk.confine(root, folder);
        disk.createFolders(folder);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        disk.confine(root, folder);
        disk.syncFolder(folder);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void confine(Path within, Path path) throws IOException {
        disk.confine(within, path);
    }

    @Override
    public FileLock mutex(Path file) throws IOException {
        disk.confine(root, file);
        return disk.mutex(file);
    }
}
