package dev.xmem.core;

import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.sync.DirectorySync;
import dev.xmem.spi.SyncBackend;
import java.nio.file.Path;

/**
 * Sync through a folder that all machines see: a network share, a synchronised drive, or a folder of one machine. Every
 * replica writes files of its own in it, {@code xmem-v1/<replica>/}, so nothing in it is locked and nothing conflicts.
 */
public final class DirectoryBackend {
    private DirectoryBackend() {}

    /** A backend on a folder; it is made when something is first published. Nothing outside it is read or written. */
    public static SyncBackend at(Path folder) {
        return new DirectorySync(new NativeFileSystem(), folder.toAbsolutePath().normalize());
    }
}
