package dev.xmem;

import java.util.List;

/** What a compaction would do. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface CompactionPlan {
    /** The entries that would leave the hot log, each with the reason. */
    List<Match> removes();

    /** The plan for a person to read. */
    String text();
}
