package dev.xmem.core.agent.guard;

import dev.xmem.core.base.concurrent.SerialScheduler;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a result, up to the time limit of the guard. Another thread computes it, so that neither a slow disk nor a
 * slow plug-in can block the agent. Until the first call has ended, a longer limit holds, counted from the start of
 * that call: it may have to load classes and rules. An interrupt while waiting sets the thread's interrupt flag and
 * does not end the wait. Thread-safe. Decision: docs/adr/0034-cold-start-of-the-guard.md.
 */
final class BoundedWait {
    private static final Duration COLD_LIMIT = Duration.ofSeconds(2);

    private final GuardStore store;
    /** When the first call has to end; null before it. */
    private final AtomicReference<@Nullable Long> coldUntil = new AtomicReference<>();

    private volatile boolean warm;

    BoundedWait(GuardStore store) {
        this.store = store;
    }

    /** Applies the limit from the first call on. */
    void warm() {
        warm = true;
    }

    /** Runs a task on another thread; null if it was rejected, failed or exceeded the limit. */
    <T> @Nullable T call(Callable<T> work) {
        long until = until();
        FutureTask<T> task = new FutureTask<>(work);
        T result = null;
        if (store.runNow(task)) {
            result = SerialScheduler.await(task, until);
            warm = true;
        }
        task.cancel(false);
        return result;
    }

    /** Waits for a result that another thread computes; null if it failed or exceeded the limit. */
    <T> @Nullable T await(Future<T> task) {
        return SerialScheduler.await(task, until());
    }

    private long until() {
        long now = System.nanoTime();
        long until = now + store.config().guardLimit().toNanos();
        if (warm) {
            return until;
        }
        coldUntil.compareAndSet(null, now + COLD_LIMIT.toNanos());
        Long cold = coldUntil.get();
        return cold != null && cold - until > 0 ? cold : until;
    }
}
