package dev.xmem;

import java.nio.file.Path;

/** The result of a compaction. Immutable and thread-safe; implemented only by xmem, methods may be added. */
public interface CompactionReport {
    /** Returns the number of lines that left the logs, without the {@link #quarantined} ones. */
    long removed();

    /** Returns the number of malformed lines that were moved from the logs to the {@link #quarantine}. */
    long quarantined();

    /** Returns the folder that malformed lines are moved to. It exists once there was such a line. */
    Path quarantine();

    /**
     * Returns the folder of the backup, for {@link XMemStore#restore}. If nothing was replaced, returns the folder that
     * backups would be in.
     */
    Path backup();

    /** Returns whether the whole plan was carried out; false if a {@link CompactionListener} cancelled it. */
    boolean completed();
}
