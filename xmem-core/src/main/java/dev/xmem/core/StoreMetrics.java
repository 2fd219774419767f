package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.core.base.trace.LatencyHistogram;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counters and latencies since the store was opened. Thread-safe. */
final class StoreMetrics {
    final LongAdder appended = new LongAdder();
    final LongAdder recalled = new LongAdder();
    final LongAdder advised = new LongAdder();
    final LongAdder guardDropped = new LongAdder();
    final LongAdder guardUnavailable = new LongAdder();
    final LatencyHistogram appends = new LatencyHistogram();
    final LatencyHistogram recalls = new LatencyHistogram();
    final LatencyHistogram searches = new LatencyHistogram();

    /** Counts a recall; the advice is null if the recall was not answered in time. */
    void recalled(@Nullable Advice advice) {
        recalled.increment();
        if (advice != null && !advice.isEmpty()) {
            advised.increment();
        }
    }
}
