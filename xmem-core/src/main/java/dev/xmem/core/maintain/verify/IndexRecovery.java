package dev.xmem.core.maintain.verify;

import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.segment.CorruptSegmentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Retries an operation once.
 *
 * <ul>
 *   <li>If a log changed underneath it, the operation is simply rerun: it refreshes the logs first.
 *   <li>If a segment is damaged, the segments of its log are deleted and the log is read before the retry.
 *   <li>If it failed in a way only an inconsistent index can cause, all segments are deleted and all logs are read
 *       before the retry. Checksums detect damage, but not a segment forged by a program that computes them. This is
 *       done once while a store is open, so that such a program cannot keep it busy.
 * </ul>
 *
 * <p>Thread-safe. Decision: docs/adr/0026-damage-rereads-the-log.md.
 */
public final class IndexRecovery {
    private final LogRegistry registry;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean allRebuilt;
    private volatile int rebuilds;

    public IndexRecovery(LogRegistry registry) {
        this.registry = registry;
    }

    /** Runs an operation that may be run twice. */
    public <T> T withRetry(IoSupplier<T> query) throws IOException {
        int before = rebuilds;
        try {
            try {
                return query.get();
            } catch (LogChangedException e) {
                return query.get(); // it refreshes the logs first, and so sees the change unless it was made in place
            }
        } catch (IOException | RuntimeException | InternalError e) {
            if (!rebuild(before, e)) {
                throw e;
            }
            return query.get();
        }
    }

    /** Runs an operation that changes something and must not be run twice. */
    public <T> T once(IoSupplier<T> change) throws IOException {
        int before = rebuilds;
        try {
            return change.get();
        } catch (IOException | RuntimeException | InternalError e) {
            if (!rebuild(before, e)) {
                throw e;
            }
            throw new IOException(
                    "A log changed while it was being read, or the index was damaged and has been rebuilt."
                            + " The call may or may not have taken effect: check before retrying.",
                    e);
        }
    }

    /** Rebuilds the index unless that was done since the operation began; false if the failure has another cause. */
    private boolean rebuild(int before, Throwable cause) throws IOException {
        boolean damage = isOf(CorruptSegmentException.class, cause);
        if (!damage && !isInconsistency(cause)) {
            return false;
        }
        lock.lock();
        try {
            if (rebuilds != before) {
                return true;
            }
            if (!damage || registry.checkSegments(log -> 0, () -> false) == 0) {
                if (allRebuilt) {
                    return false;
                }
                Log.warning("the index was inconsistent; the logs are read again", cause);
                registry.distrustSegments();
                allRebuilt = true;
            }
            rebuilds = before + 1;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isInconsistency(Throwable e) {
        return isOf(LogChangedException.class, e)
                || e instanceof IndexOutOfBoundsException
                || e instanceof BufferUnderflowException
                || e instanceof NegativeArraySizeException
                || e instanceof ArithmeticException
                || e instanceof InternalError;
    }

    private static boolean isOf(Class<? extends IOException> type, Throwable e) {
        return type.isInstance(e)
                || e instanceof UncheckedIOException unchecked && type.isInstance(unchecked.getCause());
    }
}
