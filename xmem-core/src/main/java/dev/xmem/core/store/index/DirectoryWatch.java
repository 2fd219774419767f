package dev.xmem.core.store.index;

import dev.xmem.core.base.io.FileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Tells by a look at some folders whether a file was made or removed in them. A folder that changed just before it was
 * listed counts as changed until its time has moved on: the clocks of file systems are coarse. Any thread may ask.
 */
final class DirectoryWatch {
    private static final long SETTLED_MILLIS = 2_000;

    private final FileSystem disk;
    private volatile Map<Path, Seen> seen = Map.of();

    private record Seen(@Nullable Object key, long modifiedMillis, boolean settled) {}

    DirectoryWatch(FileSystem disk) {
        this.disk = disk;
    }

    /** Remembers how these folders are now. To be called before they are listed. */
    void look(List<Path> folders) throws IOException {
        Map<Path, Seen> looked = new HashMap<>();
        for (Path folder : folders) {
            looked.put(folder, seen(folder));
        }
        seen = Map.copyOf(looked);
    }

    /** Whether one of the folders may have changed since. */
    boolean changed() throws IOException {
        for (Map.Entry<Path, Seen> folder : seen.entrySet()) {
            Seen before = folder.getValue();
            Seen now = before.key == null && !disk.exists(folder.getKey()) ? before : seen(folder.getKey());
            if (!before.settled || !same(now, before)) {
                return true;
            }
        }
        return false;
    }

    private static boolean same(Seen now, Seen before) {
        return Objects.equals(now.key, before.key) && now.modifiedMillis == before.modifiedMillis;
    }

    private Seen seen(Path folder) throws IOException {
        FileSystem.Stat stat = disk.stat(folder);
        return stat == null
                ? new Seen(null, 0, true)
                : new Seen(
                        stat.key(),
                        stat.modifiedMillis(),
                        Math.abs(System.currentTimeMillis() - stat.modifiedMillis()) > SETTLED_MILLIS);
    }
}
