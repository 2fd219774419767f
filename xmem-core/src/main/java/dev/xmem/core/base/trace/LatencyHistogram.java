package dev.xmem.core.base.trace;

import dev.xmem.LatencyStats;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A histogram of latencies with eight buckets for each power of two, so that a percentile is at most 12.5 % too high.
 * Thread-safe and lock-free.
 */
public final class LatencyHistogram {
    private static final int SHIFT = 3;
    private static final int BUCKETS = 1 << SHIFT;

    private final AtomicLongArray counts = new AtomicLongArray((Long.SIZE - SHIFT) * BUCKETS);
    private final AtomicLong longest = new AtomicLong();

    /** Records a call that began at this value of {@link System#nanoTime} and ends now. */
    public void ended(long begin) {
        took(Math.max(0, System.nanoTime() - begin));
    }

    void took(long nanos) {
        counts.incrementAndGet(bucket(nanos));
        long before = longest.get();
        while (nanos > before && !longest.compareAndSet(before, nanos)) {
            before = longest.get();
        }
    }

    /** Values below eight have a bucket each; above, the highest bit and the three bits after it select the bucket. */
    private static int bucket(long nanos) {
        if (nanos < BUCKETS) {
            return (int) nanos;
        }
        int doublings = Long.SIZE - 1 - SHIFT - Long.numberOfLeadingZeros(nanos);
        return (doublings + 1) * BUCKETS + (int) (nanos >>> doublings) - BUCKETS;
    }

    private static long highest(int bucket) {
        if (bucket < BUCKETS) {
            return bucket;
        }
        int doublings = bucket / BUCKETS - 1;
        return ((long) (BUCKETS + bucket % BUCKETS + 1) << doublings) - 1;
    }

    /** A snapshot of the counts so far. */
    public LatencyStats latency() {
        long[] now = new long[counts.length()];
        long sum = 0;
        for (int i = 0; i < now.length; i++) {
            now[i] = counts.get(i);
            sum += now[i];
        }
        return new Snapshot(now, sum, Duration.ofNanos(longest.get()));
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Snapshot(long[] counts, long count, Duration max) implements LatencyStats {
        @Override
        public Duration percentile(double share) {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("share must be from 0.0 to 1.0, not " + share);
            }
            long wanted = Math.max(1, (long) Math.ceil(share * count));
            long below = 0;
            for (int i = 0; i < counts.length; i++) {
                below += counts[i];
                if (below >= wanted) {
                    return Duration.ofNanos(Math.min(highest(i), max.toNanos()));
                }
            }
            return Duration.ZERO;
        }
    }
}
