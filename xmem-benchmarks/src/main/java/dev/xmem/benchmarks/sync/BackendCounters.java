package dev.xmem.benchmarks.sync;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What the backends of one run did together. Thread-safe. */
final class BackendCounters {
    final LongAdder pushes = new LongAdder();
    final LongAdder races = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAccumulator longestPublishNanos = new LongAccumulator(Math::max, 0);
}
