package dev.xmem.core.base.trace;

import dev.xmem.LatencyStats;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts calls by how long they took, in eight classes to each doubling. Thread-safe, without a lock. */
public final class LatencyHistogram {
    private static final int SHIFT = 3;
    private static final int CLASSES = 1 << SHIFT;

    private final AtomicLongArray counts = new AtomicLongArray((Long.SIZE - SHIFT) * CLASSES);
    private final AtomicLong longest = new AtomicLong();

    /** A call ended that began at this reading of {@link System#nanoTime}. */
    public void ended(long begin) {
        took(Math.max(0, System.nanoTime() - begin));
    }

    void took(long nanos) {
        counts.incrementAndGet(place(nanos));
        long before = longest.get();
        while (nanos > before && !longest.compareAndSet(before, nanos)) {
            before = longest.get();
        }
    }

    /** Below eight each number has a class of its own; above, the three bits after the highest tell it. */
    private static int place(long nanos) {
        if (nanos < CLASSES) {
            return (int) nanos;
        }
        int doublings = Long.SIZE - 1 - SHIFT - Long.numberOfLeadingZeros(nanos);
        return (doublings + 1) * CLASSES + (int) (nanos >>> doublings) - CLASSES;
    }

    private static long highest(int place) {
        if (place < CLASSES) {
            return place;
        }
        int doublings = place / CLASSES - 1;
        return ((long) (CLASSES + place % CLASSES + 1) << doublings) - 1;
    }

    /** What was counted so far. */
    public LatencyStats latency() {
        long[] now = new long[counts.length()];
        long sum = 0;
        for (int i = 0; i < now.length; i++) {
            now[i] = counts.get(i);
            sum += now[i];
        }
        return new Counted(now, sum, longest.get());
    }

    private static final class Counted implements LatencyStats {
        private final long[] counts;
        private final long count;
        private final long longest;

        Counted(long[] counts, long count, long longest) {
            this.counts = counts;
            this.count = count;
            this.longest = longest;
        }

        @Override
        public long count() {
            return count;
        }

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
                    return Duration.ofNanos(Math.min(highest(i), longest));
                }
            }
            return Duration.ZERO;
        }

        @Override
        public Duration max() {
            return Duration.ofNanos(longest);
        }
    }
}
