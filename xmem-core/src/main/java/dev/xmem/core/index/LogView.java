package dev.xmem.core.index;

import dev.xmem.Entry;
import org.jspecify.annotations.Nullable;

/** The lines of one log below a count. Immutable, but for lines that turn out to be no entries of their own. */
public final class LogView {
    private final LogIndex index;
    private final int count;
    private final Hidden hidden;

    LogView(LogIndex index, int count, Hidden hidden) {
        this.index = index;
        this.count = count;
        this.hidden = hidden;
    }

    /** The log. */
    public LogIndex index() {
        return index;
    }

    /** How many of its lines are looked at. */
    public int count() {
        return count;
    }

    /** Whether a line is an entry: not so where the same line, or one that covers it, is shown from elsewhere. */
    public boolean shows(int ordinal) {
        return !hidden.has(ordinal);
    }

    /** Whether every line counts as one entry: none is shown from elsewhere, none stands for several. */
    public boolean isPlain() {
        return hidden.isEmpty() && !index.covers();
    }

    /** Whether every line is an entry of the log's kind that is shown. */
    public boolean isUniform() {
        return hidden.isEmpty() && index.isUniform();
    }

    /** The same log up to another line. */
    public LogView upTo(int lines) {
        return new LogView(index, lines, hidden);
    }

    long total(Entry.Kind kind) {
        return index.tally().of(kind) - hidden.tally().of(kind);
    }

    Hidden hidden() {
        return hidden;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogView view && view.index == index && view.count == count && view.hidden == hidden;
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(index) + count;
    }
}
