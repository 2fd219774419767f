package dev.xmem;

import java.util.List;

/**
 * The result of {@link XMemStore#verify}. Immutable and thread-safe; implemented only by xmem, methods may be added.
 */
public interface VerifyReport {
    /** Returns whether there are no findings. */
    boolean clean();

    /** Returns one sentence per finding, with file and byte offset. */
    List<String> findings();

    /** Returns the number of lines that were read. */
    long lines();
}
