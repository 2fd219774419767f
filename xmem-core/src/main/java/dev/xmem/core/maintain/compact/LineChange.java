package dev.xmem.core.maintain.compact;

import org.jspecify.annotations.Nullable;

/**
 * What happens to one line of a log.
 *
 * @param offset where the line begins, in bytes
 * @param length how long it is, without its line end
 * @param ordinal which line of the index it is; -1 for one that is no entry, or repeats another
 * @param why what happens to it
 * @param line what stands in its place; null where nothing does
 * @param reason why, for a person
 */
@SuppressWarnings("ArrayRecordComponent") // bytes that nobody changes, compared by nobody
record LineChange(long offset, int length, int ordinal, Why why, byte @Nullable [] line, String reason) {
    /** What can happen to a line. */
    enum Why {
        /** Others are made part of it: another line with its id takes its place. */
        MERGED(false),
        /** It is part of another now. */
        COVERED(true),
        /** The same line stands before it. */
        REPEATED(true),
        /** It is no entry: it goes to quarantine. */
        MALFORMED(true),
        /** Nothing happened to it for long. */
        STALE(true),
        /** It is old: it moves to an archive. */
        ARCHIVED(true),
        /** It is to be erased. */
        PURGED(true);

        private final boolean leaves;

        Why(boolean leaves) {
            this.leaves = leaves;
        }
    }

    /** Whether the line leaves the log. */
    boolean leaves() {
        return why.leaves;
    }
}
