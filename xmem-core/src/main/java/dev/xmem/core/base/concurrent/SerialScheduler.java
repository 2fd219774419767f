package dev.xmem.core.base.concurrent;

import dev.xmem.core.base.trace.Log;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs delayed tasks one at a time on an {@link Executor}. Thread-safe.
 *
 * <p>It occupies one thread of the executor, the <em>worker</em>, while a task runs or waits for its time, and for five
 * seconds afterwards; otherwise none. That is why it is not built on {@code ScheduledThreadPoolExecutor}, which needs
 * threads of its own. Urgent tasks ({@link #runNow}) run before delayed ones; while the worker is busy, up to {@value
 * #MAX_HELPERS} short-lived <em>helpers</em> run them. If a task throws an exception or is interrupted, its thread may
 * end; another thread then takes over the tasks that are left.
 * Decisions: docs/adr/0018-no-idle-threads.md, docs/adr/0028-hand-written-scheduler.md.
 */
public final class SerialScheduler {
    static final int MAX_URGENT = 64;
    static final int MAX_HELPERS = 8;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Executor executor;
    private final Duration closeTimeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Runnable, Long> delayed = new HashMap<>();
    private final ArrayDeque<Runnable> urgent = new ArrayDeque<>();
    private int helpers;
    private boolean hasWorker;
    /** The task of the worker and its thread; null between two tasks. */
    private @Nullable Runnable running;

    private @Nullable Thread runner;
    private boolean interrupted;
    private boolean closed;

    public SerialScheduler(Executor executor) {
        this(executor, CLOSE_TIMEOUT);
    }

    /** A scheduler with another limit on how long {@link #cancel(Runnable)} and {@link #close} wait. */
    SerialScheduler(Executor executor, Duration closeTimeout) {
        this.executor = executor;
        this.closeTimeout = closeTimeout;
    }

    /** Runs a task once after a delay, unless it is scheduled for an earlier time already. */
    public void schedule(Runnable task, Duration delay) {
        lock.lock();
        try {
            long at = System.nanoTime() + delay.toNanos();
            Long before = delayed.get(task);
            if (closed || before != null && before - at <= 0) {
                return;
            }
            delayed.put(task, at);
            if (hasWorker) {
                changed.signalAll();
            } else if (!startWorker()) {
                delayed.remove(task);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a task at once for a caller that waits for it; false if too many are waiting, or the executor rejects it.
     */
    public boolean runNow(Runnable task) {
        lock.lock();
        try {
            if (closed || urgent.size() >= MAX_URGENT) {
                return false;
            }
            urgent.add(task);
            if (hasWorker && running == null && urgent.size() == 1) {
                changed.signalAll();
            } else if (hasWorker) {
                startHelper();
            } else if (!startWorker()) {
                urgent.remove(task);
                return false;
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a result that another thread computes; null if it failed or is not there in time. An interrupt while
     * waiting sets the thread's interrupt flag and does not end the wait.
     *
     * @param until when the wait ends, as {@link System#nanoTime} counts
     */
    public static <T> @Nullable T await(Future<T> task, long until) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return task.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException | ExecutionException | CancellationException e) {
                    return null;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Cancels a task; if it is running, waits for its end, but at most two seconds. */
    public void cancel(Runnable task) {
        cancel(task, closeTimeout);
    }

    /** Cancels a task; if it is running, waits for its end up to a timeout. False if it is still running. */
    public boolean cancel(Runnable task, Duration timeout) {
        lock.lock();
        try {
            delayed.remove(task);
            awaitEnd(task, timeout);
            return running != task;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts a task if the worker runs it; {@link #close} then does not wait for it. */
    public void interrupt(Runnable task) {
        lock.lock();
        try {
            if (running == task && runner != null) {
                interrupted = true;
                runner.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Drops all waiting tasks and waits up to two seconds for the running one, unless it was interrupted. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            delayed.clear();
            urgent.clear();
            changed.signalAll();
            awaitEnd(null, closeTimeout);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits under the lock for the end of a task or, if it is null, of the worker unless that was interrupted, but
     * never for the calling thread itself. An interrupt is kept for later.
     */
    private void awaitEnd(@Nullable Runnable task, Duration timeout) {
        boolean keptInterrupt = Thread.interrupted();
        long until = System.nanoTime() + timeout.toNanos();
        try {
            while ((task == null ? hasWorker && !interrupted : running == task)
                    && runner != Thread.currentThread()
                    && until - System.nanoTime() > 0) {
                try {
                    changed.awaitNanos(until - System.nanoTime());
                } catch (InterruptedException e) {
                    keptInterrupt = true;
                }
            }
        } finally {
            if (keptInterrupt) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Called under the lock; false if the executor rejects the work. */
    private boolean start(Runnable work) {
        try {
            executor.execute(work);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private boolean startWorker() {
        hasWorker = true; // before start(), because the executor may run the worker in this thread, to its end
        Runnable worker = new Runnable() {
            @Override
            public void run() {
                work();
            }
        };
        if (!start(worker)) {
            hasWorker = false;
        }
        return hasWorker;
    }

    private void startHelper() {
        if (helpers < MAX_HELPERS && start(this::help)) {
            helpers++;
        }
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            boolean completed = false;
            try {
                task.run();
                completed = true;
            } catch (OutOfMemoryError e) {
                completed = true;
                Log.warning("work in the background had too little memory", e);
            } finally {
                ended(completed);
            }
        }
    }

    /** The next task when its time has come; null if the worker has to end. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            long idleUntil = System.nanoTime() + IDLE_NANOS;
            while (true) {
                Map.Entry<Runnable, Long> first = first();
                long now = System.nanoTime();
                Runnable task = urgent.poll();
                if (task == null && first != null && first.getValue() - now <= 0) {
                    task = first.getKey();
                    delayed.remove(task);
                } else if (!urgent.isEmpty()) {
                    startHelper();
                }
                if (task != null) {
                    running = task;
                    runner = Thread.currentThread();
                    return task;
                }
                if (first == null && (closed || idleUntil - now <= 0)) {
                    endWorker();
                    return null;
                }
                changed.awaitNanos((first == null ? idleUntil : first.getValue()) - now);
            }
        } catch (InterruptedException e) {
            endWorker();
            return null;
        } finally {
            lock.unlock();
        }
    }

    private Map.@Nullable Entry<Runnable, Long> first() {
        Map.Entry<Runnable, Long> first = null;
        for (Map.Entry<Runnable, Long> each : delayed.entrySet()) {
            first = first == null || each.getValue() - first.getValue() < 0 ? each : first;
        }
        return first;
    }

    private void ended(boolean completed) {
        lock.lock();
        try {
            if (interrupted) {
                interrupted = false;
                Thread.interrupted(); // the interrupt was meant for the task that ended, not for the next one
            }
            running = null;
            runner = null;
            if (!completed) {
                endWorker();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the worker, under the lock; another one takes over the tasks that are left. */
    private void endWorker() {
        hasWorker = false;
        if (!delayed.isEmpty() || !urgent.isEmpty()) {
            startWorker();
        }
        changed.signalAll();
    }

    /** Runs one urgent task; another helper takes over those that are left. */
    private void help() {
        try {
            Runnable task = nextUrgent();
            if (task != null) {
                task.run();
            }
        } finally {
            lock.lock();
            try {
                helpers--;
                if (!urgent.isEmpty()) {
                    startHelper();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private @Nullable Runnable nextUrgent() {
        lock.lock();
        try {
            return urgent.poll();
        } finally {
            lock.unlock();
        }
    }
}
