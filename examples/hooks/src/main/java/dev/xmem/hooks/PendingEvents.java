package dev.xmem.hooks;

import dev.xmem.XMemStore;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The events that a resident has answered and not yet written, because another process locks the store. A {@link
 * LateEvent} process holds a copy of them, and handles them if this process ends before it has written them.
 * Thread-safe. Decision: docs/adr/0054-hooks-and-locked-stores.md.
 */
final class PendingEvents {
    private static final int MAX_BYTES = 16 << 20;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final XMemStore store;
    private final Path folder;
    private @Nullable Process copy;
    private int count;
    private int bytes;
    private boolean closed;

    PendingEvents(XMemStore store, Path folder) {
        this.store = store;
        this.folder = folder;
    }

    /**
     * Adds an event, whose writes the store's guard has queued. The process holds at most {@value #MAX_BYTES} bytes;
     * the guard has the rest in memory.
     */
    synchronized void add(byte[] event, List<String> options, Instant begin) {
        count++;
        if (bytes + event.length > MAX_BYTES) {
            return;
        }
        if (!give(event, options, begin) && copy != null) {
            copy = null; // it has ended; what it had, the guard has, too
            bytes = 0;
            give(event, options, begin);
        }
    }

    private boolean give(byte[] event, List<String> options, Instant begin) {
        try {
            if (copy == null) {
                copy = LateEvent.start(folder);
            }
            bytes += event.length;
            LateEvent.write(event, options, begin, new DataOutputStream(copy.getOutputStream()));
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Waits until the guard has written all events, at most ten minutes, in which it tries. */
    void await() {
        long until = System.nanoTime() + HookService.QUEUE_LIMIT.toNanos();
        boolean done = false;
        while (!done && System.nanoTime() < until && !Thread.currentThread().isInterrupted()) {
            int before = count();
            done = store.guard().flush(HookService.WRITE_LIMIT) && end(before);
            LockSupport.parkNanos(done ? 0 : PAUSE.toNanos());
        }
    }

    private synchronized int count() {
        return count;
    }

    /** Ends the process that has the copy, unless it was given an event meanwhile. */
    private synchronized boolean end(int before) {
        if (count != before) {
            return false;
        }
        if (copy != null && !closed) {
            copy.destroyForcibly();
            copy = null;
            bytes = 0;
        }
        return true;
    }

    /** Leaves the events to the process that has the copy: a store that closes drops what it cannot write. */
    synchronized void close() throws IOException {
        closed = true;
        if (copy != null) {
            copy.getOutputStream().close();
        }
    }
}
