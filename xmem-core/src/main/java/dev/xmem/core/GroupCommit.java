package dev.xmem.core;

import dev.xmem.Entry;
import dev.xmem.core.log.LogFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Appends of many threads that share one turn of the store's mutex and one fsync of each log: who finds nobody at it leads,
 * and commits what all have brought until then, while others bring more. Each batch succeeds or fails by itself.
 * Thread-safe.
 */
final class GroupCommit {
    private final Commit commit;
    private final ReentrantLock lock = new ReentrantLock();
    private List<Batch> brought = new ArrayList<>();
    private boolean led;

    /** How a group is committed: each batch is {@link Batch#does done} or {@link Batch#failed}. Called by one thread at a time. */
    interface Commit {
        void of(List<Batch> group);
    }

    /** A step of a batch. */
    interface Step {
        void run() throws IOException;
    }

    /** What one thread brought. */
    static final class Batch {
        private final List<Prepared> drafts;
        private final Condition ended;
        private final Map<LogFile, Long> written = new HashMap<>();
        private List<Entry> entries = List.of();
        private @Nullable Throwable failure;
        private boolean over;

        private Batch(List<Prepared> drafts, Condition ended) {
            this.drafts = drafts;
            this.ended = ended;
        }

        List<Prepared> drafts() {
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
        void does(Step step) {
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

    GroupCommit(Commit commit) {
        this.commit = commit;
    }

    /** Returns when a batch is recorded as durably as was asked for. An interrupt is kept for later. */
    List<Entry> append(List<Prepared> drafts) throws IOException {
        Batch mine = new Batch(drafts, lock.newCondition());
        lock.lock();
        try {
            brought.add(mine);
            while (!mine.over) {
                if (led) {
                    mine.ended.awaitUninterruptibly();
                } else {
                    lead();
                }
            }
        } finally {
            lock.unlock();
        }
        return mine.result();
    }

    /** How many batches wait for the next commit. */
    int waiting() {
        lock.lock();
        try {
            return brought.size();
        } finally {
            lock.unlock();
        }
    }

    /** Commits all that was brought. The lock is held before and after, not meanwhile. */
    private void lead() {
        List<Batch> group = brought;
        brought = new ArrayList<>();
        led = true;
        lock.unlock();
        try {
            commit.of(group);
        } catch (RuntimeException | Error e) {
            group.forEach(batch -> batch.failed(e));
        } finally {
            lock.lock();
            led = false;
            for (Batch batch : group) {
                batch.over = true;
                batch.ended.signal();
            }
            if (!brought.isEmpty()) {
                brought.get(0).ended.signal();
            }
        }
    }
}
