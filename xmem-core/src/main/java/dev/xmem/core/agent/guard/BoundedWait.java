package dev.xmem.core.agent.guard;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a result, up to a time limit. Another thread computes it, so that neither a slow disk nor a slow plug-in
 * can block the agent. An interrupt while waiting sets the thread's interrupt flag and does not end the wait.
 * Thread-safe.
 */
final class BoundedWait {
    private final long limitNanos;
    private final Predicate<Runnable> executor;

    /**
     * @param limit how long to wait at most
     * @param executor starts a task on another thread; returns false if it rejects the task
     */
    BoundedWait(Duration limit, Predicate<Runnable> executor) {
        this.limitNanos = limit.toNanos();
        this.executor = executor;
    }

    /** Runs a task on another thread; null if it was rejected, failed or exceeded the limit. */
    <T> @Nullable T call(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        T result = executor.test(task) ? await(task) : null;
        task.cancel(false);
        return result;
    }

    /** Waits for a result that another thread computes; null if it failed or exceeded the limit. */
    <T> @Nullable T await(Future<T> task) {
        long until = System.nanoTime() + limitNanos;
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
}
