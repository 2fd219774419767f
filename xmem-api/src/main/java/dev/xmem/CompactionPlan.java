package dev.xmem;

import java.util.List;

/** What a compaction would do. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface CompactionPlan {
    /** The entries that would leave the hot log, each with the reason. */
    List<Match> removes();

    /** Whether there is nothing to do. */
    boolean isEmpty();

    /** The plan for a person to read: a summary, then one line for each line of a log that something happens to. */
    String text();
}
