package dev.xmem.core;

import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.sync.DirectorySync;
import dev.xmem.spi.SyncBackend;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Sync through a folder that all machines can access: a network share, a synchronised drive, or a local folder. Each
 * replica writes only files of its own, in {@code xmem-v1/<replica>/}, so there are no locks and no conflicts.
 */
public final class DirectoryBackend {
    private DirectoryBackend() {}

    /** Returns a backend on a folder, which the first publication creates. Nothing outside it is read or written. */
    public static SyncBackend at(Path folder) {
        return new DirectorySync(
                new NativeFileSystem(),
                Objects.requireNonNull(folder, "folder").toAbsolutePath().normalize());
    }
}
