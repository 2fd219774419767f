package dev.xmem.core.store.index;

import dev.xmem.Entry;
import dev.xmem.core.store.segment.IndexedField;
import java.util.BitSet;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of one log below a count. Immutable, except that a line may become shadowed. */
public final class LogSnapshot {
    /** Compiled when such a name is first looked up. */
    private static final class Names {
        static final Pattern WITHOUT_ID = Pattern.compile("(note|line)-([0-9a-f]{16})(@.*)?");
    }

    private final LogIndex index;
    private final int count;
    private final ShadowedLines hidden;

    LogSnapshot(LogIndex index, int count, ShadowedLines hidden) {
        this.index = index;
        this.count = count;
        this.hidden = hidden;
    }

    public LogIndex index() {
        return index;
    }

    /** The number of its lines that this snapshot has. */
    public int count() {
        return count;
    }

    /** Whether a line is visible: it is not shadowed by the same line or a covering one elsewhere. */
    public boolean shows(int ordinal) {
        return !hidden.has(ordinal);
    }

    /** A copy of the lines that are not visible. */
    public BitSet shadowed() {
        return hidden.copy();
    }

    /** The number of entries of some kinds, visible or not: all their lines but outcomes and amendments. */
    public int entries(Set<Entry.Kind> kinds) {
        boolean events = kinds.contains(Entry.Kind.UNKNOWN);
        int other = events ? index.lines().postings(IndexedField.EVENT, "").countBelow(count) : 0;
        return Objects.checkIndex(index.segments().count(kinds, count) - other, count + 1);
    }

    /** Another object when another line was shadowed; null while none is. */
    public @Nullable Object shadowedState() {
        return hidden.state();
    }

    /** Whether every line counts as one entry: none is shadowed, and none covers others. */
    public boolean isPlain() {
        return hidden.isEmpty() && !index.covers();
    }

    /** Whether every line is a visible entry of the log's kind. */
    public boolean isUniform() {
        return hidden.isEmpty() && index.isUniform();
    }

    /** Whether a line is shown under this id, or covers one that was. */
    boolean has(String id) {
        return !id.isEmpty()
                && (index.withShownId(id).countBelow(count) > 0
                        || index.withShownId(IndexedField.COVERED, id).countBelow(count) > 0
                        || hasWithoutId(id));
    }

    /** Whether a line without an id has this derived id. */
    private boolean hasWithoutId(String name) {
        Matcher parts = Names.WITHOUT_ID.matcher(name);
        if (!parts.matches()) {
            return false;
        }
        int line = index.lines().withDigest(Long.parseUnsignedLong(parts.group(2), 16));
        return line >= 0 && line < count && index.origin(line).mayShow(name);
    }

    /** The same log with another number of lines. */
    public LogSnapshot upTo(int lines) {
        return new LogSnapshot(index, lines, hidden);
    }

    long total(Entry.Kind kind) {
        return index.statistics().logStatistics().of(kind) - hidden.statistics().of(kind);
    }

    ShadowedLines hidden() {
        return hidden;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogSnapshot view && view.index == index && view.count == count && view.hidden == hidden;
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(index) + count;
    }
}
