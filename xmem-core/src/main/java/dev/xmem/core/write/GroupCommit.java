package dev.xmem.core.write;

import dev.xmem.Entry;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Appends of many threads that share turns of the store's mutex and one fsync of each log. Who finds nobody leading leads: it
 * writes what all bring as long as the fsync of the group before runs, and for a moment longer if those are likely to come
 * back whom that one lets go; then it syncs for all, while the next group is led by another. Each batch succeeds or fails by
 * itself. Thread-safe.
 */
final class GroupCommit {
    /** A leader that waits for an fsync writes so many batches at once. */
    private static final int WRITTEN_AT_ONCE = 8;

    private static final long MOST_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final Commit write;
    private final SharedFsync.Force force;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition leaders = lock.newCondition();
    private List<CommitGroup> brought = new ArrayList<>();
    /** What the leader has taken; null where there is none. */
    private @Nullable List<CommitGroup> group;

    private boolean syncing;
    /** How many batches were under way when the last group was synced, and until when to wait for that many. */
    private int expected;

    private long until;

    /** How batches are written: each is {@link CommitGroup#does done} or {@link CommitGroup#failed}. Called by one thread at a time. */
    interface Commit {
        void of(List<CommitGroup> batches);
    }

    /** What one thread brought. */
    static final class CommitGroup {
        private final List<PreparedEntry> drafts;
        private final Thread thread = Thread.currentThread();
        private final Map<LogFile, Long> written = new HashMap<>();
        private List<Entry> entries = List.of();
        private @Nullable Throwable failure;
        private volatile @Nullable SharedFsync help;
        private volatile boolean over;

        private CommitGroup(List<PreparedEntry> drafts) {
            this.drafts = drafts;
        }

        List<PreparedEntry> drafts() {
            return drafts;
        }

        /** Up to where each log was written. */
        Map<LogFile, Long> written() {
            return written;
        }

        /** What became of it, once it is written. */
        void entries(List<Entry> recorded) {
            entries = recorded;
        }

        /** Does a step, unless one before has failed. */
        void does(IoAction step) {
            if (failure == null) {
                try {
                    step.run();
                } catch (IOException | RuntimeException | Error e) {
                    failed(e);
                }
            }
        }

        /** It is not recorded, or nobody knows. */
        void failed(Throwable e) {
            failure = failure == null ? e : failure;
        }

        private void end() {
            over = true;
            LockSupport.unpark(thread);
        }

        /** Has the thread that waits sync a log, if it comes to it before the leader does. */
        private void helps(SharedFsync with) {
            help = with;
            LockSupport.unpark(thread);
        }

        /** Waits for its end; an interrupt is kept for later. */
        private void await() {
            boolean interrupted = false;
            while (!over) {
                SharedFsync with = help;
                if (with == null) {
                    LockSupport.park(this);
                    interrupted |= Thread.interrupted();
                } else {
                    help = null;
                    with.run();
                }
            }
            if (interrupted) {
                thread.interrupt();
            }
        }

        private List<Entry> result() throws IOException {
            if (failure instanceof IOException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            return entries;
        }
    }

    /**
     * Commits in two steps.
     *
     * @param write writes batches
     * @param force makes durable what was written to a log; several logs at a time, each by one thread
     */
    GroupCommit(Commit write, SharedFsync.Force force) {
        this.write = write;
        this.force = force;
    }

    /** Returns when a batch is recorded as durably as was asked for. An interrupt is kept for later. */
    List<Entry> append(List<PreparedEntry> drafts) throws IOException {
        CommitGroup mine = new CommitGroup(drafts);
        List<CommitGroup> led = List.of();
        lock.lock();
        try {
            brought.add(mine);
            if (group == null) {
                led = gather();
            } else if (brought.size() >= (syncing ? WRITTEN_AT_ONCE : expected - group.size())) {
                leaders.signal();
            }
        } finally {
            lock.unlock();
        }
        if (!led.isEmpty()) {
            sync(led);
        }
        mine.await();
        return mine.result();
    }

    /** How many batches nobody has taken yet. */
    int waiting() {
        lock.lock();
        try {
            return brought.size();
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is brought until it is this group's turn to be synced. The lock is held before and after. */
    private List<CommitGroup> gather() {
        List<CommitGroup> mine = new ArrayList<>();
        group = mine;
        try {
            while (!brought.isEmpty() || syncing || waitsForMore(mine)) {
                if (brought.isEmpty()) {
                    leaders.awaitUninterruptibly();
                }
                write(mine);
            }
            syncing = true;
            return mine;
        } catch (RuntimeException | Error e) {
            mine.addAll(brought);
            brought = new ArrayList<>();
            mine.forEach(batch -> batch.failed(e));
            mine.forEach(CommitGroup::end);
            return List.of();
        } finally {
            group = null;
        }
    }

    /** Writes what is brought now, if anything is. The lock is held before and after, not meanwhile. */
    private void write(List<CommitGroup> mine) {
        List<CommitGroup> some = brought;
        if (some.isEmpty()) {
            return;
        }
        brought = new ArrayList<>();
        mine.addAll(some);
        lock.unlock();
        try {
            write.of(some);
        } catch (RuntimeException | Error e) {
            some.forEach(batch -> batch.failed(e));
        } finally {
            lock.lock();
        }
    }

    /** Waits for those who are likely to come back; false where none came, or there is nobody to wait for. */
    private boolean waitsForMore(List<CommitGroup> mine) {
        long rest = until - System.nanoTime();
        try {
            while (brought.isEmpty() && mine.size() < expected && rest > 0) {
                rest = leaders.awaitNanos(rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !brought.isEmpty();
    }

    private void sync(List<CommitGroup> mine) {
        long begin = System.nanoTime();
        try {
            force(mine);
        } catch (RuntimeException | Error e) {
            mine.forEach(batch -> batch.failed(e));
        } finally {
            lock.lock();
            try {
                long now = System.nanoTime();
                syncing = false;
                expected = mine.size() + brought.size() + (group == null ? 0 : group.size());
                until = now + Math.min((now - begin) / 2, MOST_PATIENCE_NANOS);
                leaders.signal();
            } finally {
                lock.unlock();
            }
            mine.forEach(CommitGroup::end);
        }
    }

    /** Makes durable what a group wrote: each log once, all at the same time as far as there are threads that wait. */
    private void force(List<CommitGroup> mine) {
        Map<LogFile, SharedFsync> logs = new LinkedHashMap<>();
        for (CommitGroup batch : mine) {
            batch.does(() ->
                    batch.written.forEach((log, to) -> logs.computeIfAbsent(log, each -> new SharedFsync(each, force))
                            .upTo(to)));
        }
        Iterator<CommitGroup> others = mine.stream()
                .filter(batch -> batch.thread != Thread.currentThread())
                .iterator();
        logs.values().stream()
                .skip(1)
                .takeWhile(log -> others.hasNext())
                .forEach(log -> others.next().helps(log));
        logs.values().forEach(SharedFsync::run);
        for (CommitGroup batch : mine) {
            batch.does(() -> {
                for (LogFile log : batch.written.keySet()) {
                    Objects.requireNonNull(logs.get(log)).await();
                }
            });
        }
    }
}
