package dev.xmem;

import java.nio.file.Path;

/** What a compaction did. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface CompactionReport {
    /** How many entries left the hot logs. */
    long removed();

    /**
     * The folder that holds the files as they were, for {@link XMemStore#restore}; where nothing was replaced, the one
     * that backups would be in.
     */
    Path backup();

    /** Whether the whole plan was carried out; not so where a {@link CompactionListener} ended it. */
    boolean completed();
}
