package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names in a folder: one look at the folder tells which files are not there, in place of one for each. Thread-safe.
 * Decision: docs/adr/0116-one-look-one-scan.md.
 */
final class FolderNames {
    /**
     * A folder that changed this recently counts as changed until its time has moved on: the clocks of file systems are
     * coarse.
     */
    static final long SETTLED_MILLIS = 2_000;

    private final FileSystem files;
    private final Path folder;
    private volatile @Nullable Listing last;

    FolderNames(FileSystem files, Path folder) {
        this.files = files;
        this.folder = folder;
    }

    /**
     * What was in the folder when it had this identity and time.
     *
     * @param names in lower case, as some file systems ignore the case
     */
    record Listing(Path folder, Object key, long modifiedMillis, Set<String> names) {
        /** Whether a path is surely none of a file: it is right below the folder, which has no such name. */
        boolean lacks(Path file) {
            return folder.equals(file.getParent()) && !names.contains(name(file));
        }
    }

    /** What is in the folder now; null if it is not there, cannot be listed, or may have changed after a look. */
    @Nullable Listing now() throws IOException {
        FileSystem.Stat stat = files.stat(folder);
        Listing known = last;
        if (stat == null) {
            return null;
        }
        if (known != null && known.modifiedMillis == stat.modifiedMillis() && known.key.equals(stat.key())) {
            return known;
        }
        if (!isSettled(stat)) {
            return null;
        }
        Set<String> names = new HashSet<>();
        try {
            for (Path file : files.list(folder)) { // after the look: what is added meanwhile changes the time
                names.add(name(file));
            }
        } catch (IOException e) {
            return null; // a folder that may not be listed tells nothing
        }
        Listing listing = new Listing(folder, stat.key(), stat.modifiedMillis(), names);
        last = listing;
        return listing;
    }

    static boolean isSettled(FileSystem.Stat stat) {
        return Math.abs(System.currentTimeMillis() - stat.modifiedMillis()) > SETTLED_MILLIS;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }
}
