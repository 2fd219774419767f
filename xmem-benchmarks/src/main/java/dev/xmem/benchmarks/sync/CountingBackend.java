package dev.xmem.benchmarks.sync;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Counts and times the calls to a backend. */
final class CountingBackend implements SyncBackend {
    private final SyncBackend backend;
    private final BackendCounters counters;
    private final boolean onePushPerCall;

    /**
     * Wraps a backend.
     *
     * @param onePushPerCall whether each call pushes once; otherwise the backend counts its pushes and races itself
     */
    CountingBackend(SyncBackend backend, BackendCounters counters, boolean onePushPerCall) {
        this.backend = backend;
        this.counters = counters;
        this.onePushPerCall = onePushPerCall;
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
        long begin = System.nanoTime();
        try {
            Ack ack = backend.publish(own, limit);
            if (onePushPerCall) {
                counters.pushes.increment();
                counters.races.add(ack.isAccepted() ? 0 : 1);
            }
            return ack;
        } catch (IOException e) {
            counters.failures.increment();
            throw e;
        } finally {
            counters.longestPublishNanos.accumulate(System.nanoTime() - begin);
        }
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        return backend.poll(known, maxBytes, limit);
    }

    @Override
    public void close() throws IOException {
        backend.close();
    }
}
