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
 * A bare group commit: who finds nobody at it writes what all have brought until then and syncs it once, while the others
 * wait or bring more. It encodes the same entries and does nothing else; all go to one file. Thread-safe.
 */
final class GroupFloorPeer implements Peer {
    private final Path folder;
    private final IdGenerator ids;
    private final FileChannel out;
    private final ThreadLocal<LineWriter> writers = ThreadLocal.withInitial(LineWriter::new);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition synced = lock.newCondition();
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private long brought;
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
            waiting.write(writer.bytes(), 0, writer.length());
            long mine = ++brought;
            while (durable < mine) {
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

    /** Writes and syncs all that is waiting; the lock is held before and after, not meanwhile. */
    private void sync() throws IOException {
        byte[] bytes = waiting.toByteArray();
        long last = brought;
        waiting = new ByteArrayOutputStream(bytes.length);
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
        throw new UnsupportedOperationException("it only appends");
    }

    @Override
    public List<String> advice(CorpusEntry entry) {
        throw new UnsupportedOperationException("it only appends");
    }

    @Override
    public List<String> last(Entry.Kind kind, int lines) throws IOException {
        return LogFiles.last(folder, Entry.Kind.FAILURE, lines);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
