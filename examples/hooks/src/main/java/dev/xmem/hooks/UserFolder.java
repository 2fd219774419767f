package dev.xmem.hooks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The folder of xmem in the cache of the user, and the modes of the files in it. */
final class UserFolder {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private UserFolder() {}

    /** The folder {@code xmem} in XDG_CACHE_HOME, else in {@code $HOME/.cache}; null if neither is an absolute path. */
    static @Nullable Path cache() {
        String cache = System.getenv("XDG_CACHE_HOME");
        if (cache != null && cache.startsWith("/")) {
            return Path.of(cache, "xmem");
        }
        String home = System.getenv("HOME");
        return home != null && home.startsWith("/") ? Path.of(home, ".cache", "xmem") : null;
    }

    /** Creates a folder of the cache; it is private to the user. */
    static Path create(Path folder) throws IOException {
        Path parent = folder.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            create(parent);
        }
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, PRIVATE_FOLDER);
        }
        return folder;
    }

    /** The device and inode of a file or folder: it differs in a copy. */
    static String key(Path path) throws IOException {
        return Files.getAttribute(path, "unix:dev") + ":" + Files.getAttribute(path, "unix:ino");
    }

    /** The number of the user that owns a file. */
    static Object owner(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }
}
