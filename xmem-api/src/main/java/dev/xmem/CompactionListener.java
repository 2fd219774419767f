package dev.xmem;

/** Is told how far a compaction is, and may end it. Called on the thread that compacts. */
@FunctionalInterface
public interface CompactionListener {
    /**
     * Whether to go on. After a no the compaction ends between two steps: what was not replaced yet stays as it was, and
     * nothing is lost.
     *
     * @param share how much is done, 0.0 to 1.0
     */
    boolean onProgress(double share);
}
