package dev.xmem.core.sync;

import dev.xmem.Limits;
import dev.xmem.SyncReport;
import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.spi.SyncBackend;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * The synchronisation of one store with a backend. A lock file admits one round at a time among all processes that have
 * the store open. Used by one thread at a time.
 */
public final class Sync implements Closeable {
    final SyncBackend backend;
    final FileSystem fileSystem;
    final SyncPaths paths;
    final ReplicaIdentity replica;
    final StreamPublisher publisher;
    private final Limits limits;
    private final FileSystem.FileLock lock;
    /** Whether a round has verified that the backend has what the sync state says. */
    private boolean verified;

    /**
     * @param limits what is imported at most
     * @param random the source of replica ids
     */
    public Sync(SyncBackend backend, FileSystem fileSystem, SyncPaths paths, Limits limits, RandomGenerator random)
            throws IOException {
        this.backend = backend;
        this.fileSystem = fileSystem;
        this.paths = paths;
        this.limits = limits;
        this.replica = new ReplicaIdentity(fileSystem, paths, random);
        this.publisher = new StreamPublisher(fileSystem, paths, new PrivateLines());
        this.lock = fileSystem.lock(paths.lock());
    }

    /** The streams of other replicas that the last rounds of any process did not read on. */
    public static List<SyncReport.Unread> unread(FileSystem fileSystem, SyncPaths paths) throws IOException {
        return SyncState.load(fileSystem, paths).left();
    }

    /** The lengths, identities and times of the own logs: a change means that there may be something to publish. */
    List<Object> signature() throws IOException {
        return paths.signature(fileSystem);
    }

    /**
     * Runs one round. An exception is reported in the result.
     *
     * @param stopped asked between the steps; true ends the round
     */
    SyncRound.Result round(boolean publish, boolean poll, Duration limit, BooleanSupplier stopped) {
        try {
            if (fileSystem.exists(paths.privateMark())) {
                return failed(new FileSystemException(
                        paths.privateMark().toString(), null, "marks the store as private; nothing is synced"));
            }
            if (!lock.acquire(limit.toNanos() / 2)) {
                return failed(new IOException("another process is syncing this store; it holds " + paths.lock()));
            }
            try {
                StreamImporter importer = new StreamImporter(fileSystem, paths, limits);
                SyncRound.Result result = new SyncRound(this, importer, !verified, limit, stopped).run(publish, poll);
                verified |= poll && result.failure() == null;
                return result;
            } finally {
                lock.release();
            }
        } catch (IOException e) {
            return failed(e);
        }
    }

    private static SyncRound.Result failed(IOException e) {
        return new SyncRound.Result("", 0, 0, 0, List.of(), List.of(), e);
    }

    @Override
    public void close() throws IOException {
        try {
            backend.close();
        } finally {
            lock.close();
        }
    }
}
