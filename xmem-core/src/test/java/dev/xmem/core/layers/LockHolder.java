package dev.xmem.core.layers;

import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process that holds the lock of a store until it may let it go. */
final class LockHolder {
    private LockHolder() {}

    /** Arguments: the lock file, and a folder to meet in. */
    public static void main(String... args) throws Exception {
        Path meeting = Path.of(args[1]);
        try (FileSystem.FileLock lock = new NativeFileSystem().lock(Path.of(args[0]))) {
            while (!lock.acquire(1_000_000_000)) {
                Thread.onSpinWait();
            }
            Files.createFile(meeting.resolve("held"));
            Jvm.await(meeting.resolve("let-go"));
            lock.release();
        }
    }
}
