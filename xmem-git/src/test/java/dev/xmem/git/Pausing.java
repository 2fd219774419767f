package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Forwards all calls, some of them after a pause. */
record Pausing(SyncBackend backend, Random random) implements SyncBackend {
    private static final int LONGEST_MILLIS = 300;

    /** Waits for a random time, in some of the calls. */
    static void pause(Random random, int longestMillis) {
        int millis = random.nextInt(4) == 0 ? random.nextInt(longestMillis) : 0;
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Override
    public String id() {
        return backend.id();
    }

    @Override
    public Set<Ability> abilities() {
        return backend.abilities();
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        pause(random, LONGEST_MILLIS);
        Ack ack = backend.publish(own, limit);
        pause(random, LONGEST_MILLIS);
        return ack;
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        pause(random, LONGEST_MILLIS);
        Batch batch = backend.poll(known, maxBytes, limit);
        pause(random, LONGEST_MILLIS);
        return batch;
    }

    @Override
    public void retire(String replica, Duration limit) throws IOException {
        backend.retire(replica, limit);
    }

    @Override
    public void close() throws IOException {
        backend.close();
    }
}
