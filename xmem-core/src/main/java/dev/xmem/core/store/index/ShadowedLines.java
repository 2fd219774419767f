package dev.xmem.core.store.index;

import dev.xmem.core.base.json.IndexedFields;
import dev.xmem.core.store.segment.LogStatistics;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Lines of one log that are no entries of their own, because the same line, or one that covers them, stands elsewhere.
 * Usually none. One writer, many readers.
 */
final class ShadowedLines {
    private final LogStatistics tally = new LogStatistics();
    private volatile @Nullable BitSet lines;

    boolean has(int ordinal) {
        BitSet known = lines;
        return known != null && known.get(ordinal);
    }

    boolean isEmpty() {
        return lines == null;
    }

    void add(int ordinal, IndexedFields facts) {
        BitSet known = lines;
        BitSet more = known == null ? new BitSet() : (BitSet) known.clone();
        more.set(ordinal);
        tally.add(facts);
        lines = more;
    }

    /** What these lines add to the totals of their log, and should not. */
    LogStatistics tally() {
        return tally;
    }
}
