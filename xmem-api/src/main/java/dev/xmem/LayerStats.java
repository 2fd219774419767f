package dev.xmem;

import org.jspecify.annotations.Nullable;

/**
 * How another store answered the recalls of a store that also asks it. Counters start at zero when the asking store is
 * opened. Immutable and thread-safe; implemented only by xmem, methods may be added.
 */
public interface LayerStats {
    /** Returns whose memory it is. */
    Layer layer();

    /** Returns the number of recalls that it answered. */
    long answered();

    /** Returns the number of recalls that it did not answer in time, or was not asked because an earlier one hangs. */
    long late();

    /** Returns the number of recalls and votes that failed. */
    long failed();

    /** Returns one sentence on why it does not answer at present; null if it does, or was not asked yet. */
    @Nullable String problem();
}
