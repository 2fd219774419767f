package dev.xmem.core.sync;

import dev.xmem.core.base.config.SyncPaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.spi.SyncBackend;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** The door: rounds with a backend, one at a time for all processes that have the store open. */
public final class Sync implements Closeable {
    private final SyncBackend backend;
    private final FileSystem disk;
    private final LineCodec codec;
    private final SyncPaths files;
    private final int lineBytes;
    private final long storeBytes;
    private final ReplicaIdentity replica;
    private final StreamPublisher outbox;
    private final FileSystem.FileLock mutex;
    /** Whether the backend was seen to have what is noted to be there. */
    private boolean checked;

    /** Sync of these files with a backend. */
    public Sync(
            SyncBackend backend,
            FileSystem disk,
            LineCodec codec,
            SyncPaths files,
            int lineBytes,
            long storeBytes,
            RandomGenerator random)
            throws IOException {
        this.backend = backend;
        this.disk = disk;
        this.codec = codec;
        this.files = files;
        this.lineBytes = lineBytes;
        this.storeBytes = storeBytes;
        this.replica = new ReplicaIdentity(disk, codec, files, random);
        this.outbox = new StreamPublisher(disk, files);
        this.mutex = disk.mutex(files.lock());
    }

    /** The lengths and identities of the own logs: where they change there may be something to publish. */
    public List<Object> signature() throws IOException {
        return files.signature(disk);
    }

    /**
     * One round. Trouble is in the result.
     *
     * @param stopped asked in between; true ends it
     */
    public RoundResult round(boolean publish, boolean poll, Duration limit, BooleanSupplier stopped) {
        try {
            if (!mutex.acquire(limit.toNanos() / 2)) {
                return failed(new IOException("another process is syncing this store; it holds " + files.lock()));
            }
            try {
                StreamImporter inbox = new StreamImporter(disk, files, codec, lineBytes, storeBytes);
                RoundResult result = new SyncRound(
                                backend, disk, codec, replica, files, inbox, outbox, !checked, limit, stopped)
                        .run(publish, poll);
                checked |= poll && result.failure() == null;
                return result;
            } finally {
                mutex.release();
            }
        } catch (IOException e) {
            return failed(e);
        }
    }

    private static RoundResult failed(IOException e) {
        return new RoundResult("", 0, 0, 0, List.of(), e);
    }

    /** Own lines that are not published. */
    public long pending() throws IOException {
        return outbox.pending(SyncState.load(disk, codec, files));
    }

    @Override
    public void close() throws IOException {
        try {
            backend.close();
        } finally {
            mutex.close();
        }
    }
}
