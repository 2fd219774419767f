package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.core.base.trace.LatencyHistogram;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What happened since the store was opened. */
final class StoreMetrics {
    final LongAdder appended = new LongAdder();
    final LongAdder recalled = new LongAdder();
    final LongAdder advised = new LongAdder();
    final LongAdder guardDropped = new LongAdder();
    final LatencyHistogram appends = new LatencyHistogram();
    final LatencyHistogram recalls = new LatencyHistogram();
    final LatencyHistogram searches = new LatencyHistogram();

    /** A recall, with its answer; null where there was none. */
    void recalled(@Nullable Advice advice) {
        recalled.increment();
        if (advice != null && !advice.isEmpty()) {
            advised.increment();
        }
    }
}
