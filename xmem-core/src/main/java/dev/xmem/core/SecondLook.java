package dev.xmem.core;

import dev.xmem.core.index.Catalog;
import dev.xmem.core.log.ChangedLogException;
import dev.xmem.core.trace.Logging;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where an answer fails as it only does when a segment tells nonsense, all segments are removed and the logs themselves are
 * read. Checksums keep out damage, but not somebody who may write files and computes them. Once for an open store, so that
 * nobody can keep it busy. Thread-safe.
 */
final class SecondLook {
    private final Catalog catalog;
    private final AtomicBoolean taken = new AtomicBoolean();

    SecondLook(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Work that may fail with a file. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Does what changes nothing; again, if need be. */
    <T> T ask(Work<T> question) throws IOException {
        try {
            return question.run();
        } catch (ChangedLogException
                | IndexOutOfBoundsException
                | BufferUnderflowException
                | NegativeArraySizeException
                | InternalError e) {
            if (!take(e)) {
                throw e;
            }
            return question.run();
        } catch (UncheckedIOException e) {
            if (!(e.getCause() instanceof ChangedLogException) || !take(e)) {
                throw e;
            }
            return question.run();
        }
    }

    /** Does what changes something, and is not to be done twice. */
    <T> T change(Work<T> change) throws IOException {
        try {
            return change.run();
        } catch (IndexOutOfBoundsException | BufferUnderflowException | NegativeArraySizeException | InternalError e) {
            if (!take(e)) {
                throw e;
            }
            throw new IOException(
                    "the index told nonsense and was made anew; look whether the entry is there, and call again if it is not",
                    e);
        }
    }

    private boolean take(Throwable because) throws IOException {
        if (!taken.compareAndSet(false, true)) {
            return false;
        }
        Logging.warning("the index told nonsense; the logs are read again", because);
        catalog.distrustSegments();
        return true;
    }
}
