package dev.xmem.core.maintain.verify;

import dev.xmem.core.base.trace.Log;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.log.LogChangedException;
import dev.xmem.core.store.segment.CorruptSegmentException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Retries an operation once where it fails because a log or a segment is not what it was. If a log changed underneath
 * it, the operation is simply run again. If a segment is damaged, the segments of its log are deleted and the log is
 * read before. If it failed in a way that only an inconsistent index can cause, all segments are deleted and all logs
 * are read before: checksums find damage, but not a change by a program that computes them. That is done once for an
 * open store, so that such a program cannot keep it busy. Thread-safe.
 */
public final class IndexRecovery {
    private final LogRegistry catalog;
    private final ReentrantLock rebuilding = new ReentrantLock();
    private boolean distrusted;
    private volatile int rebuilds;

    public IndexRecovery(LogRegistry catalog) {
        this.catalog = catalog;
    }

    /** Work that may fail with a file. */
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Runs an operation that may be run twice. */
    public <T> T withRetry(Work<T> question) throws IOException {
        int before = rebuilds;
        try {
            return afterAnyChange(question);
        } catch (IOException | RuntimeException | InternalError e) {
            if (!rebuild(before, e)) {
                throw e;
            }
            return question.run();
        }
    }

    /** A log that was changed meanwhile is read again by the second run, unless it was changed in place. */
    private static <T> T afterAnyChange(Work<T> question) throws IOException {
        try {
            return question.run();
        } catch (LogChangedException e) {
            return question.run();
        }
    }

    /** Runs an operation that must not be run twice: the caller has to find out what it did before it failed. */
    public <T> T once(Work<T> change) throws IOException {
        int before = rebuilds;
        try {
            return change.run();
        } catch (IOException | RuntimeException | InternalError e) {
            if (!rebuild(before, e)) {
                throw e;
            }
            throw new IOException(
                    "A log changed while it was being read, or the index was damaged and has been rebuilt."
                            + " The call may or may not have taken effect: check before you call again.",
                    e);
        }
    }

    private static boolean isDamage(Throwable e) {
        return e instanceof CorruptSegmentException
                || e instanceof UncheckedIOException unchecked
                        && unchecked.getCause() instanceof CorruptSegmentException;
    }

    private static boolean isInconsistency(Throwable e) {
        return e instanceof LogChangedException
                || e instanceof UncheckedIOException unchecked && unchecked.getCause() instanceof LogChangedException
                || e instanceof IndexOutOfBoundsException
                || e instanceof BufferUnderflowException
                || e instanceof NegativeArraySizeException
                || e instanceof InternalError;
    }

    /**
     * Rebuilds the index unless it was since the operation began; false if a failure has nothing to do with the index.
     */
    private boolean rebuild(int before, Throwable because) throws IOException {
        boolean damage = isDamage(because);
        if (!damage && !isInconsistency(because)) {
            return false;
        }
        rebuilding.lock();
        try {
            if (rebuilds != before) {
                return true;
            }
            if (!damage || catalog.checkSegments(() -> false) == 0) {
                if (distrusted) {
                    return false;
                }
                Log.warning("the index was inconsistent; the logs are read again", because);
                catalog.distrustSegments();
                distrusted = true;
            }
            rebuilds = before + 1;
            return true;
        } finally {
            rebuilding.unlock();
        }
    }
}
