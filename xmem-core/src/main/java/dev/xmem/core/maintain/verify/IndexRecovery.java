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
 * Asks again where an answer fails because somebody changed a log meanwhile, or as it only does when a segment tells nonsense:
 * then all segments are removed before, and the logs themselves are read. Checksums keep out damage, but not somebody who
 * may write files and computes them. Segments are removed once for an open store, so that nobody can keep it busy.
 * Thread-safe.
 */
public final class IndexRecovery {
    private final LogRegistry catalog;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile boolean looked;

    public IndexRecovery(LogRegistry catalog) {
        this.catalog = catalog;
    }

    /** Does what may be done twice. */
    public <T> T withRetry(IoSupplier<T> question) throws IOException {
        boolean before = looked;
        try {
            return afterAnyChange(question);
        } catch (IOException | RuntimeException | InternalError e) {
            if (!isOfNonsense(e) || !look(before, e)) {
                throw e;
            }
            return question.get();
        }
    }

    /** Where somebody changed a log meanwhile, the next look at the files sees it, unless it was changed in place. */
    private static <T> T afterAnyChange(IoSupplier<T> question) throws IOException {
        try {
            return question.get();
        } catch (LogChangedException e) {
            return question.get();
        }
    }

    /** Does what changes something, and is not to be done twice. */
    public <T> T once(IoSupplier<T> change) throws IOException {
        boolean before = looked;
        try {
            return change.get();
        } catch (IOException | RuntimeException | InternalError e) {
            if (!isOfNonsense(e) || !look(before, e)) {
                throw e;
            }
            throw new IOException(
                    "a log was changed where it was read, or the index told nonsense: it was made anew; look whether this was"
                            + " done, and call again if not",
                    e);
        }
    }

    private static boolean isOfNonsense(Throwable e) {
        return e instanceof LogChangedException
                || e instanceof UncheckedIOException unchecked && unchecked.getCause() instanceof LogChangedException
                || e instanceof IndexOutOfBoundsException
                || e instanceof BufferUnderflowException
                || e instanceof NegativeArraySizeException
                || e instanceof InternalError;
    }

    /** Reads the logs themselves, unless that was done before the work began. */
    private boolean look(boolean before, Throwable because) throws IOException {
        looking.lock();
        try {
            if (!looked) {
                Log.warning("the index told nonsense; the logs are read again", because);
                catalog.distrustSegments();
                looked = true;
            }
            return !before;
        } finally {
            looking.unlock();
        }
    }
}
