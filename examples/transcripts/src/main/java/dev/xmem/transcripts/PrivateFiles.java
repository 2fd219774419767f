package dev.xmem.transcripts;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files and folders that only their user may read. */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** What a new file is created with: mode 0600, where the file system has modes. */
    public static FileAttribute<?>[] attributes(Path file) {
        return mode(file, "rw-------");
    }

    /** What a new folder is created with: mode 0700, where the file system has modes. */
    public static FileAttribute<?>[] ofFolder(Path folder) {
        return mode(folder, "rwx------");
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
