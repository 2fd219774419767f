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
 * Waits for an answer, but no longer than a limit. The work is done by another thread, so that neither a slow disk nor a
 * slow plug-in can hold the agent. An interrupt while waiting is kept for the caller and not answered.
 */
final class BoundedWait {
    private final long limitNanos;
    private final Predicate<Runnable> threads;

    /** Patience of so long, with work that these threads do; they say false to what they cannot take. */
    BoundedWait(Duration limit, Predicate<Runnable> threads) {
        this.limitNanos = limit.toNanos();
        this.threads = threads;
    }

    /** The answer; null if it was not there in time, or the work failed. */
    <T> @Nullable T answer(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        T answer = threads.test(task) ? await(task) : null;
        task.cancel(false);
        return answer;
    }

    /** The answer that somebody else is working on; null if it was not there in time. */
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
