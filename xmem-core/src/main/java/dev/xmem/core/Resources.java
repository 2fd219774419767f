package dev.xmem.core;

import dev.xmem.core.log.WeighedCache;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads and a cache that many stores share; outlives them. Thread-safe. Without it every store has its own. Work in the
 * background is one task at a time on the executor: it is there while something is due, ends when nothing is, and never
 * carries a context class loader of its own making. A recall that a guard waits for goes before all that; while the
 * background is busy it gets a task of its own on the executor, which ends with it. Stores that
 * sync have one more task there.
 */
public final class Resources implements AutoCloseable {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MOST_WAITED_FOR = 64;
    private static final int MOST_HELPERS = 8;

    private final Executor executor;
    private final WeighedCache cache;
    private final Lane network;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Runnable, Long> due = new HashMap<>();
    private final ArrayDeque<Runnable> waitedFor = new ArrayDeque<>();
    private boolean working;
    private int helpers;
    private @Nullable Runnable running;
    private boolean closed;

    private Resources(Executor executor, long cacheBytes) {
        this.executor = executor;
        this.cache = new WeighedCache(cacheBytes);
        this.network = new Lane(executor);
    }

    /**
     * Resources of one's own.
     *
     * @param executor runs the background work; it may block
     * @param cacheBytes how much memory entries and older parts of logs may take in all
     */
    public static Resources of(Executor executor, long cacheBytes) {
        if (cacheBytes < 0) {
            throw new IllegalArgumentException("cacheBytes must be 0 or more, not " + cacheBytes);
        }
        return new Resources(Objects.requireNonNull(executor, "executor"), cacheBytes);
    }

    /** Resources of one store: a daemon thread when there is something to do. */
    static Resources ofOneStore(long cacheBytes) {
        return new Resources(Resources::startDaemon, cacheBytes);
    }

    private static void startDaemon(Runnable work) {
        Thread thread = new Thread(null, work, "xmem", 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    WeighedCache cache() {
        return cache;
    }

    /** Work that waits for other machines, on a thread of its own. */
    Lane network() {
        return network;
    }

    /** Runs a task once after a delay, unless it is waiting already. */
    void schedule(Runnable task, Duration delay) {
        lock.lock();
        try {
            if (closed || due.putIfAbsent(task, System.nanoTime() + delay.toNanos()) != null) {
                return;
            }
            if (working) {
                changed.signalAll();
            } else {
                working = true;
                executor.execute(this::work);
            }
        } catch (RejectedExecutionException e) {
            working = false;
            due.remove(task);
        } finally {
            lock.unlock();
        }
    }

    /** Runs a task at once, for somebody who waits for it; false if too many wait already. */
    boolean runNow(Runnable task) {
        lock.lock();
        try {
            if (closed || waitedFor.size() >= MOST_WAITED_FOR) {
                return false;
            }
            waitedFor.add(task);
            if (!working) {
                working = true;
                executor.execute(this::work);
            } else if (running == null && waitedFor.size() == 1) {
                changed.signalAll();
            } else {
                callHelper();
            }
            return true;
        } catch (RejectedExecutionException e) {
            working = false;
            waitedFor.remove(task);
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void callHelper() {
        if (helpers < MOST_HELPERS) {
            helpers++;
            try {
                executor.execute(this::help);
            } catch (RejectedExecutionException e) {
                helpers--;
            }
        }
    }

    /** Runs what somebody waits for, until nothing is left. */
    private void help() {
        while (true) {
            Runnable task;
            lock.lock();
            try {
                task = waitedFor.poll();
                if (task == null) {
                    helpers--;
                    return;
                }
            } finally {
                lock.unlock();
            }
            task.run();
        }
    }

    /** Forgets a task, and waits for it for a while if it is running. */
    void cancel(Runnable task) {
        lock.lock();
        try {
            due.remove(task);
            awaitWhile(() -> running == task);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a while as long as something is so; an interrupt is kept for later. */
    private void awaitWhile(BooleanSupplier busy) {
        boolean interrupted = Thread.interrupted();
        long until = System.nanoTime() + END_NANOS;
        try {
            while (busy.getAsBoolean() && until - System.nanoTime() > 0) {
                try {
                    changed.awaitNanos(until - System.nanoTime());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            boolean done = false;
            try {
                task.run();
                done = true;
            } finally {
                lock.lock();
                try {
                    running = null;
                    working = done;
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** The next task when it is due; null when there was none for a while. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            long idleUntil = System.nanoTime() + IDLE_NANOS;
            while (true) {
                if (!waitedFor.isEmpty()) {
                    running = waitedFor.remove();
                    if (!waitedFor.isEmpty()) {
                        callHelper();
                    }
                    return running;
                }
                Map.Entry<Runnable, Long> first = due.entrySet().stream()
                        .min(Map.Entry.comparingByValue())
                        .orElse(null);
                long now = System.nanoTime();
                if (first != null && first.getValue() - now <= 0) {
                    running = first.getKey();
                    due.remove(running);
                    return running;
                }
                if (first == null && (closed || idleUntil - now <= 0)) {
                    working = false;
                    changed.signalAll();
                    return null;
                }
                long until = first == null ? idleUntil : first.getValue();
                changed.awaitNanos(until - now);
            }
        } catch (InterruptedException e) {
            working = false;
            changed.signalAll();
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the background work. Stores that are still open go on without it. */
    @Override
    public void close() {
        network.close();
        lock.lock();
        try {
            closed = true;
            due.clear();
            waitedFor.clear();
            changed.signalAll();
            awaitWhile(() -> working);
        } finally {
            lock.unlock();
        }
    }
}
