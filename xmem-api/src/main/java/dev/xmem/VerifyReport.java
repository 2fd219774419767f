package dev.xmem;

import java.util.List;

/**
 * The result of {@link XMemStore#verify}. Immutable and thread-safe; implemented only by xmem, methods may be added.
 */
public interface VerifyReport {
    /** Returns whether there are no findings. */
    boolean clean();

    /**
     * Returns one sentence per finding, with file and byte offset: the first 20 of each kind, and then one sentence for
     * each kind that has more, with the number of the others.
     */
    List<String> findings();

    /**
     * Returns one sentence for each thing that is no damage, such as a derived file that is behind the logs of a store
     * that was opened read-only. {@link #clean}, {@link #findings} and {@link #count} do not include them.
     */
    List<String> notices();

    /** Returns the number of findings, including those that {@link #findings} only counts. */
    long count();

    /** Returns the number of lines that were read. */
    long lines();
}
