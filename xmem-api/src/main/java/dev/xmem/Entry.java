package dev.xmem;

import java.time.Instant;
import java.util.List;

/**
 * A remembered thing. Immutable, thread-safe and closed for good: a kind that a newer xmem wrote is an
 * {@link UnknownEntry}, so that a {@code switch} over the five stays exhaustive for ever. Accessors are the JSON fields in
 * camel case.
 */
public sealed interface Entry permits Failure, Success, Note, Directive, UnknownEntry {

    /**
     * The address of this entry: {@code YYYY-MM-DD-NNN} as the store minted it or as its line says. A journal note has
     * no id in its line and is addressed by {@code note-} and a digest of its bytes. Two different lines that carry one id
     * (a merge by hand) are told apart by a suffix {@code ~} and a digest.
     */
    String id();

    /** When it was recorded, as its line says; {@link Instant#EPOCH} where the line has no readable time. */
    Instant ts();

    /** What it is. */
    Kind kind();

    /** Its tags, in the order of the line; never null. */
    List<String> tags();

    /**
     * The stored line, without its line end, unknown fields included. Where outcomes, amendments or reinforcements
     * followed, the line as all of them say together, with {@code outcomes}, {@code pinned}, {@code dismissed} and {@code
     * superseded_by} where they apply.
     */
    String json();

    /** The kinds of entries, each with a log of its own. */
    enum Kind {
        /** A tool call that went wrong, {@link Failure}. */
        FAILURE,
        /** A pattern that worked, {@link Success}. */
        SUCCESS,
        /** A journal note, {@link Note}. */
        NOTE,
        /** A user's rule, preference or constraint, {@link Directive}. */
        DIRECTIVE,
        /** A kind that this version does not know, {@link UnknownEntry}. */
        UNKNOWN
    }
}
