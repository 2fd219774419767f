package dev.xmem.benchmarks;

import dev.xmem.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bare group commit, the lower bound for durable appends. The first thread that finds no leader becomes the leader:
 * it writes the lines of all waiting threads and syncs the file once. The other threads wait, or queue lines for the
 * next group. All entries go to one file, and there is no index. Thread-safe.
 */
final class GroupFloorPeer implements Peer {
    private final Path folder;
    private final IdGenerator ids;
    private final FileChannel out;
    private final ThreadLocal<LineWriter> writers = ThreadLocal.withInitial(LineWriter::new);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition synced = lock.newCondition();
    private ByteArrayOutputStream queue = new ByteArrayOutputStream();
    private long enqueued;
    private long durable;
    private boolean syncing;

    GroupFloorPeer(Path folder, InstantSource clock) throws IOException {
        this.folder = folder;
        this.ids = new IdGenerator(clock);
        this.out = FileChannel.open(
                LogFiles.of(folder, Entry.Kind.FAILURE), StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    @Override
    public String append(CorpusEntry entry) throws IOException {
        LineWriter writer = writers.get();
        lock.lock();
        try {
            String id = ids.next();
            writer.write(entry, id, ids.ts());
            queue.write(writer.bytes(), 0, writer.length());
            long own = ++enqueued;
            while (durable < own) {
                if (syncing) {
                    synced.awaitUninterruptibly();
                } else {
                    sync();
                }
            }
            return id;
        } finally {
            lock.unlock();
        }
    }

    /** Writes and syncs all queued lines. The caller holds the lock; it is released during the I/O. */
    private void sync() throws IOException {
        byte[] bytes = queue.toByteArray();
        long last = enqueued;
        queue = new ByteArrayOutputStream(bytes.length);
        syncing = true;
        lock.unlock();
        try {
            for (ByteBuffer rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); ) {
                out.write(rest);
            }
            out.force(false);
        } finally {
            lock.lock();
            syncing = false;
            synced.signalAll();
        }
        durable = last;
    }

    @Override
    public List<String> page(String ctxHash) {
        throw new UnsupportedOperationException("appends only");
    }

    @Override
    public List<String> advice(CorpusEntry entry) {
        throw new UnsupportedOperationException("appends only");
    }

    @Override
    public List<String> lastLines(Entry.Kind kind, int lines) throws IOException {
        return LogFiles.last(folder, Entry.Kind.FAILURE, lines);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
