package dev.xmem;

import java.time.Instant;
import java.util.List;

/**
 * A stored entry. Immutable, thread-safe and sealed: an entry of a newer version's kind is an {@link UnknownEntry}, so
 * a {@code switch} over the five subtypes stays exhaustive. The accessors are named after the JSON fields, in camel
 * case.
 */
public sealed interface Entry permits Failure, Success, Note, Directive, UnknownEntry {

    /**
     * The tag of an entry that never leaves its store: it is not synced, exported, shared, or told as advice of another
     * layer. Case is ignored.
     */
    String PRIVATE = "private";

    /**
     * Returns the id: {@code YYYY-MM-DD-NNN} as the store assigned it, or as the line has it. A journal note has no id
     * in its line; its id is {@code note-} and a digest of its bytes. If two different lines have one id, for example
     * after a manual merge, a suffix of {@code ~} and a digest distinguishes them.
     */
    String id();

    /** Returns the time of recording, as the line has it; {@link Instant#EPOCH} if the line has no valid time. */
    Instant ts();

    /** Returns the kind. */
    Kind kind();

    /** Returns the tags, in the order of the line; empty if there are none. */
    List<String> tags();

    /**
     * Returns the stored line without its line end, unknown fields included. Later outcomes, amendments and
     * reinforcements are merged into it, with the fields {@code outcomes}, {@code pinned}, {@code dismissed} and
     * {@code superseded_by} if they apply.
     */
    String json();

    /** The kind of an entry. Each kind has its own log. */
    enum Kind {
        /** A tool call that failed: {@link Failure}. */
        FAILURE,
        /** A pattern that worked: {@link Success}. */
        SUCCESS,
        /** A journal note: {@link Note}. */
        NOTE,
        /** A rule, preference or constraint of the user: {@link Directive}. */
        DIRECTIVE,
        /** A kind that this version does not know: {@link UnknownEntry}. */
        UNKNOWN
    }
}
