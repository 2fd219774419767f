package dev.xmem.hooks;

import dev.xmem.XMemStore;
import dev.xmem.transcripts.LockedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Answers the hooks of a store for the processes that ask: at most one process a store does so. It ends when it was
 * idle for long, when the store's folder has gone or was replaced, when the program's jar was replaced, and when its
 * file was deleted or may be read by others. Thread-safe. Decision: docs/adr/0046-resident.md.
 */
public final class Resident implements AutoCloseable {
    private static final long CHECK_MILLIS = 1000;
    private static final int SECRET_BYTES = 16;

    private final Path folder;
    private final String folderKey;
    private final Path jar;
    private final String jarKey;
    private final LockedFile lock;
    private final ResidentSlots.Slot slot;
    private final ResidentServer server;
    private final ResidentFile file;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread atExit = new Thread(this::end, "xmem-hooks-end");
    private final AtomicBoolean ended = new AtomicBoolean();

    private Resident(XMemStore store, Path folder, Path jar, String kind, LockedFile lock, ResidentSlots.Slot slot)
            throws IOException {
        this.folder = folder;
        this.folderKey = UserFolder.key(folder);
        this.jar = jar;
        this.jarKey = ProgramJar.key(jar);
        this.lock = lock;
        this.slot = slot;
        String clientSecret = secret();
        String serverSecret = secret();
        this.server = new ResidentServer(store, folder, clientSecret, serverSecret, this::isCurrent);
        this.file = new ResidentFile(
                kind,
                ProcessHandle.current().pid(),
                server.port(),
                slot.name(),
                folderKey,
                clientSecret,
                serverSecret,
                jar.toString(),
                folder.toString());
    }

    /**
     * Starts to answer the hooks of a store, on threads of its own, unless another process does so.
     *
     * @param store the open store of the directory; it must stay open until the resident is closed
     * @return closes the resident, not the store
     */
    public static ResidentTurns start(XMemStore store, Path directory) {
        return new ResidentTurns(store, directory);
    }

    /**
     * Starts to answer the hooks of a store.
     *
     * @return null if another process answers them, or if the user has too many residents
     * @throws IOException if the store or the user's cache cannot be written, or the store belongs to another user
     */
    static @Nullable Resident tryStart(XMemStore store, Path directory, String kind) throws IOException {
        Path folder = directory.toRealPath();
        Path local = folder.resolve(".xmem");
        if (Files.isSymbolicLink(local)) {
            throw new IOException(local + " is a symbolic link");
        }
        LockedFile lock = LockedFile.tryLock(local.resolve("resident-lock"));
        if (lock == null) {
            return null;
        }
        ResidentSlots.Slot slot = null;
        Resident resident = null;
        try {
            slot = ResidentSlots.take(kind);
            if (slot != null) {
                resident = new Resident(store, folder, ProgramJar.path(), kind, lock, slot);
                resident.publish(local);
            }
            return resident;
        } catch (IOException | RuntimeException e) {
            if (resident != null) {
                resident.close();
            }
            throw e;
        } finally {
            if (resident == null) {
                lock.close();
                if (slot != null) {
                    slot.file().close();
                }
            }
        }
    }

    private void publish(Path local) throws IOException {
        Runtime.getRuntime().addShutdownHook(atExit);
        slot.file()
                .write(file.serverSecret()
                        + '\n'
                        + file.pid()
                        + '\n'
                        + folder
                        + '\n'
                        + Runtime.getRuntime().maxMemory()
                        + '\n');
        file.write();
        if (!UserFolder.owner(local).equals(UserFolder.owner(ResidentFile.path(folder)))) {
            throw new IOException(local + " belongs to another user");
        }
        server.start();
    }

    private static String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    int port() {
        return file.port();
    }

    /** Whether the store's folder and the program's jar are those that the resident was started for. */
    private boolean isCurrent() {
        try {
            return UserFolder.key(folder).equals(folderKey)
                    && ProgramJar.key(jar).equals(jarKey);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns when the resident has been closed, was idle for this long, or is no longer the one of its store. */
    void awaitEnd(Duration idle) throws InterruptedException {
        while (!closed.await(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
            if (!isCurrent() || !file.isPublished() || server.idleNanos() > idle.toNanos()) {
                return;
            }
        }
    }

    /** Ends the events that have begun; later ones find no resident. */
    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The process is ending.
        }
    }

    private void end() {
        if (ended.getAndSet(true)) {
            return;
        }
        file.delete();
        server.close();
        try {
            slot.file().write("");
            slot.file().close();
            lock.close();
        } catch (IOException e) {
            // The locks end with the process.
        }
        closed.countDown();
    }
}
