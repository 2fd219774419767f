package dev.xmem.core.write;

import dev.xmem.Entry;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leader/follower group commit: concurrent appends share one hold of the store's lock and one fsync per log.
 * Thread-safe.
 *
 * <p>Each caller adds its batch to the queue. A caller that finds no leader becomes the leader of a new group; the
 * others wait as followers. The leader goes through three phases:
 *
 * <ol>
 *   <li><em>Gather.</em> While the previous group is in its fsync, the leader writes every queued batch. When that
 *       fsync ends, the threads it releases are likely to append again: the leader waits for them, for at most 2 ms and
 *       at most half of what that fsync took.
 *   <li><em>Sync.</em> The leader steps down, so that the next caller can lead and gather, and calls fsync for each log
 *       that its group wrote. If there are several logs, a waiting follower syncs each further one at the same time.
 *   <li><em>End.</em> The leader releases its followers. Each batch succeeds or fails by itself.
 * </ol>
 *
 * <p>So at most two groups are active: one that gathers and one that syncs. Decision: docs/adr/0023-group-commit.md.
 */
final class GroupCommit {
    /** This number of queued batches wakes a leader that waits for the fsync of the group before. */
    private static final int WRITTEN_AT_ONCE = 8;

    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Consumer<List<PendingBatch>> writer;
    private final Fsync sync;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition leaders = lock.newCondition();
    private List<PendingBatch> queue = new ArrayList<>();
    /** The batches that the leader has taken; null while there is no leader. */
    private @Nullable List<PendingBatch> group;

    private boolean syncing;
    /** The number of batches under way when the last group was synced: the next leader waits for that number. */
    private int expected;
    /** The time at which the leader stops waiting. */
    private long waitUntil;

    /**
     * Makes a log durable up to a length. A second call for the same log and length waits for the first and then
     * returns at once. Thread-safe.
     */
    interface Fsync {
        void upTo(LogFile log, long length) throws IOException;
    }

    /** @param writer writes batches; called by one thread at a time */
    GroupCommit(Consumer<List<PendingBatch>> writer, Fsync sync) {
        this.writer = writer;
        this.sync = sync;
    }

    /** Returns when a batch is durable. An interrupt is kept for later. */
    List<Entry> append(PendingBatch batch) throws IOException {
        List<PendingBatch> led = List.of();
        lock.lock();
        try {
            queue.add(batch);
            if (group == null) {
                led = gather();
            } else if (queue.size() >= (syncing ? WRITTEN_AT_ONCE : expected - group.size())) {
                leaders.signal();
            }
        } finally {
            lock.unlock();
        }
        if (!led.isEmpty()) {
            sync(led);
        }
        batch.await();
        return batch.result();
    }

    /** Returns the number of batches that no leader has taken yet. */
    int queued() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Leads: writes what is queued until this group may sync. Holds the lock before and after. */
    private List<PendingBatch> gather() {
        List<PendingBatch> mine = new ArrayList<>();
        group = mine;
        try {
            while (!queue.isEmpty() || syncing || waitsForMore(mine)) {
                if (queue.isEmpty()) {
                    leaders.awaitUninterruptibly();
                }
                write(mine);
            }
            syncing = true;
            return mine;
        } catch (RuntimeException | Error e) {
            mine.addAll(queue);
            queue = new ArrayList<>();
            mine.forEach(batch -> batch.failed(e));
            mine.forEach(PendingBatch::end);
            return List.of();
        } finally {
            group = null;
        }
    }

    /** Writes what is queued now. Holds the lock before and after, and releases it meanwhile. */
    private void write(List<PendingBatch> mine) {
        List<PendingBatch> taken = queue;
        if (taken.isEmpty()) {
            return;
        }
        queue = new ArrayList<>();
        mine.addAll(taken);
        lock.unlock();
        try {
            writer.accept(taken);
        } catch (RuntimeException | Error e) {
            taken.forEach(batch -> batch.failed(e));
        } finally {
            lock.lock();
        }
    }

    /** Waits for the expected batches; returns whether one came. */
    private boolean waitsForMore(List<PendingBatch> mine) {
        long rest = waitUntil - System.nanoTime();
        try {
            while (queue.isEmpty() && mine.size() < expected && rest > 0) {
                rest = leaders.awaitNanos(rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !queue.isEmpty();
    }

    private void sync(List<PendingBatch> mine) {
        long begin = System.nanoTime();
        try {
            syncLogs(mine);
        } catch (RuntimeException | Error e) {
            mine.forEach(batch -> batch.failed(e));
        } finally {
            lock.lock();
            try {
                long now = System.nanoTime();
                syncing = false;
                expected = mine.size() + queue.size() + (group == null ? 0 : group.size());
                waitUntil = now + Math.min((now - begin) / 2, MAX_WAIT_NANOS);
                leaders.signal();
            } finally {
                lock.unlock();
            }
            mine.forEach(PendingBatch::end);
        }
    }

    /**
     * Syncs each log that the group wrote, the first by this thread, the others by followers as far as there are any.
     */
    private void syncLogs(List<PendingBatch> mine) {
        Map<LogFile, Long> lengths = new LinkedHashMap<>();
        for (PendingBatch batch : mine) {
            batch.run(() -> batch.written.forEach((log, length) -> lengths.merge(log, length, Math::max)));
        }
        Iterator<PendingBatch> followers = mine.stream()
                .filter(batch -> batch.thread != Thread.currentThread())
                .iterator();
        lengths.entrySet().stream()
                .skip(1)
                .takeWhile(log -> followers.hasNext())
                .forEach(log -> followers.next().help(() -> sync(log.getKey(), log.getValue(), List.of())));
        // A follower that was slow to wake has not begun its log: then this thread syncs it, else it waits for the end.
        lengths.forEach((log, length) -> sync(log, length, mine));
    }

    /** Syncs a log; a failure fails the given batches that wrote to it. */
    private void sync(LogFile log, long length, List<PendingBatch> batches) {
        try {
            sync.upTo(log, length);
        } catch (IOException | RuntimeException | Error e) {
            for (PendingBatch batch : batches) {
                if (batch.written.containsKey(log)) {
                    batch.failed(e);
                }
            }
        }
    }
}
