package dev.xmem.benchmarks.sync;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A backend whose calls are counted and timed. */
final class CountingBackend implements SyncBackend {
    private final SyncBackend backend;
    private final BackendCounters counts;
    private final boolean onePushACall;

    /** Counts a backend; one that pushes more than once in a call counts its pushes and races itself. */
    CountingBackend(SyncBackend backend, BackendCounters counts, boolean onePushACall) {
        this.backend = backend;
        this.counts = counts;
        this.onePushACall = onePushACall;
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
            if (onePushACall) {
                counts.pushes.increment();
                counts.races.add(ack.isAccepted() ? 0 : 1);
            }
            return ack;
        } catch (IOException e) {
            counts.failures.increment();
            throw e;
        } finally {
            counts.longestPublishNanos.accumulate(System.nanoTime() - begin);
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
