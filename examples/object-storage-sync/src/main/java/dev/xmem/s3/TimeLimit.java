package dev.xmem.s3;

import java.io.IOException;
import java.time.Duration;

/** The time that a call of the backend may take, all its requests together. */
final class TimeLimit {
    private final Duration limit;
    private final long deadline;

    TimeLimit(Duration limit) {
        this.limit = limit;
        this.deadline = System.nanoTime() + limit.toNanos();
    }

    /** The nanoseconds that are left, more than zero. */
    long left() throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the object store did not respond within " + limit.toMillis() + " ms");
        }
        return left;
    }
}
