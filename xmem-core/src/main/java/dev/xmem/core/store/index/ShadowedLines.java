package dev.xmem.core.store.index;

import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.store.segment.LogStatistics;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The shadowed lines of one log, usually none: see {@link ShadowedLineFinder}. One writer, many readers. */
final class ShadowedLines {
    private final LogStatistics statistics = new LogStatistics();
    private volatile @Nullable BitSet lines;

    boolean has(int ordinal) {
        BitSet known = lines;
        return known != null && known.get(ordinal);
    }

    BitSet copy() {
        BitSet known = lines;
        return known == null ? new BitSet() : (BitSet) known.clone();
    }

    boolean isEmpty() {
        return lines == null;
    }

    /** Another object after each change; null while it is empty. */
    @Nullable Object state() {
        return lines;
    }

    void add(int ordinal, IndexedFields fields) {
        BitSet more = copy();
        more.set(ordinal);
        statistics.add(fields);
        lines = more;
    }

    /** The counts of these lines, to be subtracted from those of their log. */
    LogStatistics statistics() {
        return statistics;
    }
}
