package dev.xmem.core.base.config;

import dev.xmem.Entry;
import java.util.List;

/** The logs a store can have, in the order in which they rank entries of the same time. */
public enum LogName {
    /** Failures. */
    FAILURES(Entry.Kind.FAILURE),
    /** Successes. */
    SUCCESSES(Entry.Kind.SUCCESS),
    /** The directives of this project. */
    DIRECTIVES(Entry.Kind.DIRECTIVE),
    /** The journal. */
    NOTES(Entry.Kind.NOTE),
    /** The user's directives for all projects, in a file that other stores use too. */
    GLOBAL_DIRECTIVES(Entry.Kind.DIRECTIVE);

    /** The logs of which every store has one, if only an empty one. */
    public static final List<LogName> OWN = List.of(FAILURES, SUCCESSES, DIRECTIVES, NOTES);

    private final Entry.Kind kind;

    LogName(Entry.Kind kind) {
        this.kind = kind;
    }

    /** What its lines are, unless they say otherwise. */
    public Entry.Kind kind() {
        return kind;
    }

    /** Whether its entries get ids out of the one counter of the day. */
    public boolean numbered() {
        return this != NOTES;
    }

    /** The log of a kind. */
    public static LogName of(Entry.Kind kind) {
        return switch (kind) {
            case FAILURE -> FAILURES;
            case SUCCESS -> SUCCESSES;
            case DIRECTIVE -> DIRECTIVES;
            case NOTE -> NOTES;
            case UNKNOWN -> throw new IllegalArgumentException("entries of other kinds have no log of their own");
        };
    }
}
