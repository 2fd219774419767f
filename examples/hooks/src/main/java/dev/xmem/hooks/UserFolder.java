package dev.xmem.hooks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
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

    /** The bits of a mode: the kind of the file, and whether its group or others can write it. */
    private static final int KIND_AND_OTHERS_WRITE = 0170022;

    private static final int FOLDER = 0040000;
    /** Belongs to the user of the process, where it exists. */
    private static final Path SELF = Path.of("/proc/self");

    private UserFolder() {}

    /**
     * Creates a folder in {@code xmem} in XDG_CACHE_HOME, else in {@code $HOME/.cache}; null if neither is an absolute
     * path.
     */
    static @Nullable Path inCache(String name) throws IOException {
        Path cache = cache();
        return cache == null ? null : create(create(cache).resolve(name));
    }

    private static @Nullable Path cache() {
        String cache = System.getenv("XDG_CACHE_HOME");
        if (cache != null && cache.startsWith("/")) {
            return Path.of(cache, "xmem");
        }
        String home = System.getenv("HOME");
        return home != null && home.startsWith("/") ? Path.of(home, ".cache", "xmem") : null;
    }

    /**
     * Creates a folder of the cache that is private to the user.
     *
     * @throws IOException also if it is there and another user could put files or links into it
     */
    static Path create(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder, PRIVATE_FOLDER);
        }
        int mode = (int) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & KIND_AND_OTHERS_WRITE) != FOLDER || !isOwn(folder)) {
            throw new IOException(folder + " must be a folder of the user that no other user can write");
        }
        return folder;
    }

    private static boolean isOwn(Path folder) throws IOException {
        return Files.exists(SELF)
                ? owner(folder).equals(Files.getAttribute(SELF, "unix:uid"))
                : Files.getOwner(folder).getName().equals(System.getProperty("user.name"));
    }

    /**
     * Creates a file that is missing, and sets the time of one that is older.
     *
     * @return false, and nothing is done, if the file has a time less than this before or after now
     */
    static boolean touchIfOlder(Path file, long millis) throws IOException {
        long now = System.currentTimeMillis();
        if (!Files.exists(file)) {
            Files.createFile(file, PRIVATE_FILE);
        } else if (Math.abs(now - Files.getLastModifiedTime(file).toMillis()) < millis) {
            return false;
        } else {
            Files.setLastModifiedTime(file, FileTime.fromMillis(now));
        }
        return true;
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
