package dev.xmem.core.index;

import dev.xmem.core.record.LineFacts;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Lines of one log that are no entries of their own, because the same line, or one that covers them, stands elsewhere.
 * Usually none. One writer, many readers.
 */
final class Hidden {
    private final Tally tally = new Tally();
    private volatile @Nullable BitSet lines;

    boolean has(int ordinal) {
        BitSet known = lines;
        return known != null && known.get(ordinal);
    }

    boolean isEmpty() {
        return lines == null;
    }

    void add(int ordinal, LineFacts facts) {
        BitSet known = lines;
        BitSet more = known == null ? new BitSet() : (BitSet) known.clone();
        more.set(ordinal);
        tally.add(facts);
        lines = more;
    }

    /** What these lines add to the totals of their log, and should not. */
    Tally tally() {
        return tally;
    }
}
