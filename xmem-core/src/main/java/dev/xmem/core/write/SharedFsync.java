package dev.xmem.core.write;

import dev.xmem.core.store.log.LogFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The fsync of one log for a group of batches, done by the first of the threads that are asked to. Thread-safe once it runs. */
final class SharedFsync implements Runnable {
    private final Thread leader = Thread.currentThread();
    private final LogFile log;
    private final Force force;
    private final AtomicBoolean begun = new AtomicBoolean();
    private long to;
    private @Nullable Throwable failure;
    private volatile boolean over;

    /** Makes a log durable up to a length. */
    interface Force {
        void upTo(LogFile log, long length) throws IOException;
    }

    /** Made by the thread that waits for it. */
    SharedFsync(LogFile log, Force force) {
        this.log = log;
        this.force = force;
    }

    /** So much has to be durable. To be said before anybody is asked to run it. */
    void upTo(long length) {
        to = Math.max(to, length);
    }

    /** Does it, unless somebody does. */
    @Override
    public void run() {
        if (begun.compareAndSet(false, true)) {
            try {
                force.upTo(log, to);
            } catch (IOException | RuntimeException | Error e) {
                failure = e;
            }
            over = true;
            LockSupport.unpark(leader);
        }
    }

    /** Waits for it, and fails as it did. For the leader; an interrupt is kept for later. */
    void await() throws IOException {
        boolean interrupted = false;
        while (!over) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            leader.interrupt();
        }
        if (failure instanceof IOException e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }
}
