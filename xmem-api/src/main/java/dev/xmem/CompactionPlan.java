package dev.xmem;

import java.util.List;

/** A plan for a compaction. Immutable and thread-safe; implemented only by xmem, methods may be added. */
public interface CompactionPlan {
    /** Returns the entries that would leave the hot log, each with the reason. */
    List<Match> removes();

    /** Returns whether there is nothing to do. */
    boolean isEmpty();

    /** Returns the plan as text for a user: a summary, then one line per affected line of a log. */
    String text();
}
