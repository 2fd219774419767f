package dev.xmem.core.base.concurrent;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One task at a time, each when it is due, on a thread that is there only while there is something to wait for. Tasks that
 * somebody waits for go before all that; while the lane is busy they get helpers of their own. A task that throws, or that
 * is interrupted, ends its thread at most: another goes on with what is due. Thread-safe.
 */
public final class SerialScheduler {
    static final int MOST_WAITED_FOR = 64;
    static final int MOST_HELPERS = 8;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration END = Duration.ofSeconds(2);

    private final Executor executor;
    private final Duration end;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Runnable, Long> due = new HashMap<>();
    private final ArrayDeque<Runnable> waitedFor = new ArrayDeque<>();
    private int helpers;
    private boolean working;
    private @Nullable Runnable running;
    private @Nullable Thread runner;
    private boolean givenUp;
    private boolean closed;

    public SerialScheduler(Executor executor) {
        this(executor, END);
    }

    /** One whose cancelling and closing wait for what runs as long as this. */
    SerialScheduler(Executor executor, Duration end) {
        this.executor = executor;
        this.end = end;
    }

    /** Runs a task once after a delay, unless it is waiting already for an earlier time. */
    public void schedule(Runnable task, Duration delay) {
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
            } else if (!startWorking()) {
                due.remove(task);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Runs a task at once, for somebody who waits for it; false if too many wait already, or nobody could run it. */
    public boolean runNow(Runnable task) {
        lock.lock();
        try {
            if (closed || waitedFor.size() >= MOST_WAITED_FOR) {
                return false;
            }
            waitedFor.add(task);
            if (!working) {
                if (!startWorking()) {
                    waitedFor.remove(task);
                    return false;
                }
            } else if (running == null && waitedFor.size() == 1) {
                changed.signalAll();
            } else {
                callHelper();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a task, and waits for it for a while if it is running. */
    public void cancel(Runnable task) {
        cancel(task, end);
    }

    /** Forgets a task, and waits for it so long if it is running; false if it still is. */
    public boolean cancel(Runnable task, Duration patience) {
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
    public void interrupt(Runnable task) {
        lock.lock();
        try {
            if (running == task && runner != null) {
                givenUp = true;
                runner.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the work: what waits is forgotten, what runs is waited for, unless it was interrupted before. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            due.clear();
            waitedFor.clear();
            changed.signalAll();
            awaitWhile(() -> working && !givenUp, end);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a while as long as something is so, but never for oneself; an interrupt is kept for later. */
    private void awaitWhile(BooleanSupplier busy, Duration patience) {
        boolean interrupted = Thread.interrupted();
        long until = System.nanoTime() + patience.toNanos();
        try {
            while (busy.getAsBoolean() && runner != Thread.currentThread() && until - System.nanoTime() > 0) {
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

    /** Under the lock; false if the executor takes nothing any more. */
    private boolean startWorking() {
        working = true;
        try {
            executor.execute(this::work);
        } catch (RejectedExecutionException e) {
            working = false;
        }
        return working;
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            boolean done = false;
            try {
                task.run();
                done = true;
            } finally {
                ended(done);
            }
        }
    }

    private void ended(boolean done) {
        lock.lock();
        try {
            if (givenUp) {
                givenUp = false;
                Thread.interrupted(); // it was meant for the task that ended, not for the next one
            }
            running = null;
            runner = null;
            if (!done) {
                leave();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock: this thread ends, and another takes over what is left. */
    private void leave() {
        working = false;
        if (!due.isEmpty() || !waitedFor.isEmpty()) {
            startWorking();
        }
        changed.signalAll();
    }

    /** The next task when it is due; null when there was none for a while. */
    private @Nullable Runnable next() {
        lock.lock();
        try {
            long idleUntil = System.nanoTime() + IDLE_NANOS;
            while (true) {
                if (!waitedFor.isEmpty()) {
                    Runnable task = begin(waitedFor.remove());
                    if (!waitedFor.isEmpty()) {
                        callHelper();
                    }
                    return task;
                }
                Map.Entry<Runnable, Long> first = first();
                long now = System.nanoTime();
                if (first != null && first.getValue() - now <= 0) {
                    Runnable task = first.getKey();
                    due.remove(task);
                    return begin(task);
                }
                if (first == null && (closed || idleUntil - now <= 0)) {
                    leave();
                    return null;
                }
                long until = first == null ? idleUntil : first.getValue();
                changed.awaitNanos(until - now);
            }
        } catch (InterruptedException e) {
            leave();
            return null;
        } finally {
            lock.unlock();
        }
    }

    private Map.@Nullable Entry<Runnable, Long> first() {
        Map.Entry<Runnable, Long> first = null;
        for (Map.Entry<Runnable, Long> each : due.entrySet()) {
            if (first == null || each.getValue() - first.getValue() < 0) {
                first = each;
            }
        }
        return first;
    }

    private Runnable begin(Runnable task) {
        running = task;
        runner = Thread.currentThread();
        return task;
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
        boolean done = false;
        try {
            for (Runnable task = nextWaitedFor(); task != null; task = nextWaitedFor()) {
                task.run();
            }
            done = true;
        } finally {
            if (!done) {
                helperFailed();
            }
        }
    }

    /** Null where nothing is left; the helper does not count any more then. */
    private @Nullable Runnable nextWaitedFor() {
        lock.lock();
        try {
            Runnable task = waitedFor.poll();
            helpers -= task == null ? 1 : 0;
            return task;
        } finally {
            lock.unlock();
        }
    }

    private void helperFailed() {
        lock.lock();
        try {
            helpers--;
            if (!waitedFor.isEmpty()) {
                callHelper();
            }
        } finally {
            lock.unlock();
        }
    }
}
