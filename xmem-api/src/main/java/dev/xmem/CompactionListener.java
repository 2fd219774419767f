package dev.xmem;

/** Receives the progress of a compaction and may cancel it. Called on the thread that compacts. */
@FunctionalInterface
public interface CompactionListener {
    /**
     * Reports progress and returns whether to continue. If it returns false, the compaction ends after the current
     * step. Files that are not replaced yet stay unchanged, and nothing is lost.
     *
     * @param share the completed share, 0.0 to 1.0
     */
    boolean onProgress(double share);
}
