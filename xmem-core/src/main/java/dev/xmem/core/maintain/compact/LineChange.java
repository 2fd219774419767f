package dev.xmem.core.maintain.compact;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happens to one line of a log.
 *
 * @param offset the line's first byte in the file
 * @param length its length in bytes, without its line end
 * @param ordinal its ordinal in the index; -1 if it is no entry, or repeats another line
 * @param line the line that replaces it; null if none does
 * @param into the ordinal of the line that it becomes part of; -1 if there is none
 * @param reason the reason, for a person
 */
record LineChange(
        long offset,
        int length,
        int ordinal,
        Why why,
        @Nullable Replacement line,
        int into,
        Supplier<String> reason) {
    /** The change of a line that becomes part of no other one. */
    LineChange(long offset, int length, int ordinal, Why why, @Nullable Replacement line, Supplier<String> reason) {
        this(offset, length, ordinal, why, line, -1, reason);
    }

    /** Why a line changes. */
    enum Why {
        /** Others become part of it: it is replaced by a line with its id. */
        MERGED,
        /** It becomes part of another line. */
        COVERED,
        /** The same line stands before it. */
        REPEATED,
        /** It is no entry: it moves to the quarantine. */
        MALFORMED,
        /** It was not used for a long time. */
        STALE,
        /** It is old: it moves to an archive. */
        ARCHIVED,
        /** It is erased. */
        PURGED,
        /** It refers to an erased line: it is replaced by itself without the reference. */
        UNLINKED
    }

    /** Whether the line leaves the log. */
    boolean leaves() {
        return why != Why.MERGED && why != Why.UNLINKED;
    }

    /** Whether an entry leaves the log with the line. */
    boolean removesEntry() {
        return leaves() && ordinal >= 0;
    }
}
