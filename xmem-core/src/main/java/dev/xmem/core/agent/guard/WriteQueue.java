package dev.xmem.core.agent.guard;

import dev.xmem.XMemException;
import dev.xmem.core.base.io.IoAction;
import dev.xmem.core.base.trace.Log;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written soon, in order; at most {@value #CAPACITY} things. A background thread writes it. What does not fit
 * is dropped and counted, and so is what cannot be written: while another process holds the lock it is tried again for a
 * while. Thread-safe; adding touches no file and waits for no writer.
 */
final class WriteQueue {
    static final int CAPACITY = 1024;

    private static final int MOST_TRIES = 20;
    private static final Duration SOON = Duration.ofMillis(5);
    private static final Duration TURN = Duration.ofSeconds(1);
    private static final Duration AGAIN = Duration.ofMillis(250);

    private final GuardStore memory;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<IoAction> waiting = new ArrayDeque<>();
    private final ReentrantLock writing = new ReentrantLock();
    private final Runnable task = this::writeInBackground;
    private int tries;

    WriteQueue(GuardStore memory) {
        this.memory = memory;
    }

    /** Takes it, or drops and counts it. */
    boolean add(IoAction work) {
        boolean taken;
        lock.lock();
        try {
            taken = waiting.size() < CAPACITY;
            if (taken) {
                waiting.add(work);
            }
        } finally {
            lock.unlock();
        }
        if (taken) {
            memory.runLater(task, SOON);
        } else {
            memory.dropped();
        }
        return taken;
    }

    /** Writes all that waits, but begins nothing after a while; what cannot be written now is left. */
    void write(Duration most) {
        long until = System.nanoTime() + most.toNanos();
        writing.lock();
        try {
            while (until - System.nanoTime() > 0 && writeNext()) {
                tries = 0;
            }
        } finally {
            writing.unlock();
        }
    }

    /** Drops and counts what is still here: nobody will write it any more. */
    void abandon() {
        while (next(true) != null) {
            memory.dropped();
        }
    }

    private void writeInBackground() {
        write(TURN);
        if (next(false) != null) {
            memory.runLater(task, tries > 0 ? AGAIN : SOON);
        }
    }

    /** Whether to go on. */
    private boolean writeNext() {
        IoAction work = next(false);
        if (work == null) {
            return false;
        }
        try {
            work.run();
        } catch (XMemException.Busy e) {
            if (++tries < MOST_TRIES) {
                return false;
            }
            memory.dropped();
        } catch (IOException | RuntimeException | StackOverflowError | LinkageError e) {
            Log.debug("a guard could not write: " + e.getClass().getName(), null);
            memory.dropped();
        }
        next(true);
        return true;
    }

    private @Nullable IoAction next(boolean taken) {
        lock.lock();
        try {
            return taken ? waiting.poll() : waiting.peek();
        } finally {
            lock.unlock();
        }
    }
}
