package dev.xmem.transcripts;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their user may read. */
final class PrivateFiles {
    private PrivateFiles() {}

    /** What a new file is created with: mode 0600, where the file system has modes. */
    static FileAttribute<?>[] attributes(Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
