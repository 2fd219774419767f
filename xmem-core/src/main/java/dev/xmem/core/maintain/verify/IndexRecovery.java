package dev.xmem.core.maintain.verify;

import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogChangedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Retries an operation once. If a log changed underneath it, the operation is simply rerun. If it failed in a way only
 * a corrupt index can cause, all segments are deleted and rebuilt from the logs first. Thread-safe.
 *
 * <p>Checksums detect damage, but not a segment forged by a program that computes them. Segments are rebuilt at most
 * once while a store is open, so that such a program cannot keep it busy.
 */
public final class IndexRecovery {
    private final LogRegistry registry;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean rebuilt;

    public IndexRecovery(LogRegistry registry) {
        this.registry = registry;
    }

    /** Runs an operation that may be run twice. */
    public <T> T withRetry(IoSupplier<T> query) throws IOException {
        boolean before = rebuilt;
        try {
            try {
                return query.get();
            } catch (LogChangedException e) {
                return query.get(); // it refreshes the logs first, and so sees the change unless it was made in place
            }
        } catch (IOException | RuntimeException | InternalError e) {
            if (!isOfCorruptIndex(e) || !rebuild(before, e)) {
                throw e;
            }
            return query.get();
        }
    }

    /** Runs an operation that changes something and must not be run twice. */
    public <T> T once(IoSupplier<T> change) throws IOException {
        boolean before = rebuilt;
        try {
            return change.get();
        } catch (IOException | RuntimeException | InternalError e) {
            if (!isOfCorruptIndex(e) || !rebuild(before, e)) {
                throw e;
            }
            throw new IOException(
                    "A log changed while it was being read, or the index was inconsistent and has been rebuilt."
                            + " The call may or may not have taken effect: check before retrying.",
                    e);
        }
    }

    /**
     * Rebuilds the index from the logs, unless another thread has done so meanwhile.
     *
     * @param before whether it was rebuilt before the operation began; then returns false
     */
    private boolean rebuild(boolean before, Throwable cause) throws IOException {
        lock.lock();
        try {
            if (!rebuilt) {
                Log.warning("the index was inconsistent; it is rebuilt from the logs", cause);
                registry.distrustSegments();
                rebuilt = true;
            }
            return !before;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isOfCorruptIndex(Throwable e) {
        return e instanceof LogChangedException
                || e instanceof UncheckedIOException unchecked && unchecked.getCause() instanceof LogChangedException
                || e instanceof IndexOutOfBoundsException
                || e instanceof BufferUnderflowException
                || e instanceof NegativeArraySizeException
                || e instanceof InternalError;
    }
}
