package dev.xmem.core.agent.guard;

import dev.xmem.XMemException;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.trace.Log;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded queue of writes that a background thread executes in order. A write is dropped and counted if the queue is
 * full or if it fails; while another process holds the store's lock it is retried up to {@value #MAX_TRIES} times.
 * Thread-safe; adding a write touches no file and waits for no writer.
 */
final class WriteQueue {
    static final int CAPACITY = 1024;

    private static final int MAX_TRIES = 20;
    private static final Duration WRITE_DELAY = Duration.ofMillis(5);
    private static final Duration BATCH_LIMIT = Duration.ofSeconds(1);
    private static final Duration RETRY_DELAY = Duration.ofMillis(250);
    private static final Duration RETRY_PAUSE = Duration.ofMillis(20);

    private final GuardStore store;
    private final LinkedBlockingQueue<IoAction> queue = new LinkedBlockingQueue<>(CAPACITY);
    private final ReentrantLock writing = new ReentrantLock();
    private final Runnable task = this::writeInBackground;
    private final AtomicInteger draining = new AtomicInteger();
    private int tries;

    WriteQueue(GuardStore store) {
        this.store = store;
    }

    /** Adds a write; returns false if the queue is full and the write was dropped. */
    boolean add(IoAction work) {
        if (queue.offer(work)) {
            store.runLater(task, WRITE_DELAY);
            return true;
        }
        store.countDropped();
        return false;
    }

    /** Executes the queued writes until one must be retried later or the time limit is over. */
    void write(Duration limit) {
        long until = System.nanoTime() + limit.toNanos();
        writing.lock();
        try {
            while (until - System.nanoTime() > 0 && writeNext()) {
                tries = 0;
            }
        } finally {
            writing.unlock();
        }
    }

    /**
     * Executes the queued writes, and repeats those that another process delays, until none is left. Meanwhile no write
     * is dropped for want of a lock.
     *
     * @return whether the queue is empty
     */
    boolean drain(Duration limit) {
        draining.incrementAndGet();
        try {
            return drainWithin(limit);
        } finally {
            draining.decrementAndGet();
        }
    }

    private boolean drainWithin(Duration limit) {
        long until = System.nanoTime() + limit.toNanos();
        long left = limit.toNanos();
        while (!queue.isEmpty() && left > 0) {
            write(Duration.ofNanos(left));
            if (!queue.isEmpty()) {
                LockSupport.parkNanos(Math.min(left, RETRY_PAUSE.toNanos()));
            }
            left = until - System.nanoTime();
        }
        return queue.isEmpty();
    }

    /** Drops and counts all queued writes; called when the guard closes. */
    void discard() {
        while (queue.poll() != null) {
            store.countDropped();
        }
    }

    private void writeInBackground() {
        write(BATCH_LIMIT);
        if (!queue.isEmpty()) {
            store.runLater(task, tries > 0 ? RETRY_DELAY : WRITE_DELAY);
        }
    }

    /**
     * Executes the first write; returns false if the queue is empty or the write is to be retried later. Whatever a
     * plug-in throws, the write is dropped and counted, so that it does not block those behind it.
     */
    @SuppressWarnings("CatchingUnchecked")
    private boolean writeNext() {
        IoAction work = queue.peek();
        if (work == null) {
            return false;
        }
        try {
            work.run();
        } catch (XMemException.Busy e) {
            if (++tries < MAX_TRIES || draining.get() > 0) {
                return false;
            }
            store.countDropped();
        } catch (Throwable e) {
            Log.debug("a guard could not write: " + e.getClass().getName(), null);
            store.countDropped();
        }
        queue.poll();
        return true;
    }
}
