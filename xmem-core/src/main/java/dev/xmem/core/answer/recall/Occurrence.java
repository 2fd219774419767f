package dev.xmem.core.answer.recall;

import dev.xmem.Entry;

/**
 * A line that was read, and what it stands for.
 *
 * @param millis when it was recorded, in milliseconds since 1970
 * @param times how often it happened: more than once where a compaction made it of several lines
 * @param trust what the scores of its owner's entries are multiplied by
 */
record Occurrence(Entry entry, long millis, long times, double trust) {}
