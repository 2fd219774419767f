package dev.xmem.benchmarks.sync;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Counters that the backends of one run share. Thread-safe. */
final class BackendCounters {
    final LongAdder pushes = new LongAdder();
    final LongAdder races = new LongAdder();
    final LongAdder failures = new LongAdder();
    final LongAccumulator longestPublishNanos = new LongAccumulator(Math::max, 0);
}
