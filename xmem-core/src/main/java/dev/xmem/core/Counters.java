package dev.xmem.core;

import java.util.concurrent.atomic.LongAdder;

/** What happened since the store was opened. */
final class Counters {
    final LongAdder appended = new LongAdder();
    final LongAdder recalled = new LongAdder();
    final LongAdder advised = new LongAdder();
}
