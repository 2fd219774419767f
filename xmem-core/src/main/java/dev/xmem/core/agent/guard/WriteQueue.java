package dev.xmem.core.agent.guard;

import dev.xmem.XMemException;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A bounded queue of writes that a background thread executes in order. While another process holds the store's lock
 * they wait and are tried again. A write is dropped and counted if it fails, if {@value #CAPACITY} others wait, or if
 * it has waited for {@value #MAX_AGE_MINUTES} minutes. Thread-safe; adding a write touches no file and waits for no
 * writer.
 */
final class WriteQueue {
    static final int CAPACITY = 1024;

    static final int MAX_AGE_MINUTES = 10;

    private static final long MAX_AGE_NANOS =
            Duration.ofMinutes(MAX_AGE_MINUTES).toNanos();
    private static final Duration WRITE_DELAY = Duration.ofMillis(5);
    private static final Duration BATCH_LIMIT = Duration.ofSeconds(1);
    private static final Duration RETRY_DELAY = Duration.ofMillis(250);
    private static final int MOST_DELAYS = 8;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(20);

    private final GuardStore store;
    private final LongSupplier nanos;
    private final LinkedBlockingQueue<Waiting> queue = new LinkedBlockingQueue<>(CAPACITY);
    private final ReentrantLock writing = new ReentrantLock();
    private final Runnable task = this::writeInBackground;
    private final AtomicInteger draining = new AtomicInteger();
    private int tries;

    /** A write and the time at which it was added. */
    private record Waiting(IoAction work, long since) {}

    WriteQueue(GuardStore store) {
        this(store, System::nanoTime);
    }

    WriteQueue(GuardStore store, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
    }

    /** Adds a write; returns false if the queue is full and the write was dropped. */
    boolean add(IoAction work) {
        if (queue.offer(new Waiting(work, nanos.getAsLong()))) {
            store.runLater(task, WRITE_DELAY);
            return true;
        }
        store.countDropped();
        return false;
    }

    /** The writes that an event leads to. It changes a session, so it is asked once. */
    interface Plan {
        void addTo(Consumer<IoAction> writes) throws IOException;
    }

    /** Adds the writes of a plan. Each is executed once, also if a later one must be retried. */
    void addPlan(Plan plan) {
        Queue<IoAction> writes = new ArrayDeque<>();
        AtomicBoolean planned = new AtomicBoolean();
        add(() -> {
            if (!planned.getAndSet(true)) {
                plan.addTo(writes::add);
            }
            while (!writes.isEmpty()) {
                writes.element().run();
                writes.remove();
            }
        });
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
     * is dropped because it waits.
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
            int delays = Math.min(tries, MOST_DELAYS);
            store.runLater(task, delays > 0 ? RETRY_DELAY.multipliedBy(delays) : WRITE_DELAY);
        }
    }

    /**
     * Executes the first write; returns false if the queue is empty or the write is to be retried later. Whatever a
     * plug-in throws, the write is dropped and counted, so that it does not block those behind it.
     */
    @SuppressWarnings("CatchingUnchecked")
    private boolean writeNext() {
        Waiting first = queue.peek();
        if (first == null) {
            return false;
        }
        try {
            first.work.run();
        } catch (XMemException.Busy e) {
            tries++;
            if (nanos.getAsLong() - first.since < MAX_AGE_NANOS || draining.get() > 0) {
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
