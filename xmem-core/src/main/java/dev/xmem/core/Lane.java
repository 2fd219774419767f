package dev.xmem.core;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One task at a time, each when it is due, on a thread that is there only while there is something to wait for. */
final class Lane {
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration END = Duration.ofSeconds(2);

    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Runnable, Long> due = new HashMap<>();
    private boolean working;
    private @Nullable Runnable running;
    private @Nullable Thread runner;
    private @Nullable Runnable givenUp;
    private boolean closed;

    Lane(Executor executor) {
        this.executor = executor;
    }

    /** Runs a task once after a delay, unless it is waiting already for an earlier time. */
    void schedule(Runnable task, Duration delay) {
        lock.lock();
        try {
            long at = System.nanoTime() + delay.toNanos();
            Long before = due.get(task);
            if (closed || before != null && before - at <= 0) {
                return;
            }
            due.put(task, at);
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

    /** Forgets a task, and waits for it for a while if it is running. */
    void cancel(Runnable task) {
        cancel(task, END);
    }

    /** Forgets a task, and waits for it so long if it is running; false if it still is. */
    boolean cancel(Runnable task, Duration patience) {
        lock.lock();
        try {
            due.remove(task);
            awaitWhile(() -> running == task, patience);
            return running != task;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts a task, if it is running; nobody waits for it any more when the lane is closed. */
    void interrupt(Runnable task) {
        lock.lock();
        try {
            givenUp = task;
            if (running == task && runner != null) {
                runner.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a while as long as something is so; an interrupt is kept for later. */
    private void awaitWhile(BooleanSupplier busy, Duration patience) {
        boolean interrupted = Thread.interrupted();
        long until = System.nanoTime() + patience.toNanos();
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
            try {
                task.run();
            } finally {
                lock.lock();
                try {
                    running = null;
                    runner = null;
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
                Map.Entry<Runnable, Long> first = due.entrySet().stream()
                        .min(Map.Entry.comparingByValue())
                        .orElse(null);
                long now = System.nanoTime();
                if (first != null && first.getValue() - now <= 0) {
                    running = first.getKey();
                    runner = Thread.currentThread();
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

    /** Ends the work: what waits is forgotten, what runs is waited for, unless it was interrupted before. */
    void close() {
        lock.lock();
        try {
            closed = true;
            due.clear();
            changed.signalAll();
            awaitWhile(() -> working && (running == null || running != givenUp), END);
        } finally {
            lock.unlock();
        }
    }
}
