package dev.xmem.core.base.config;

import dev.xmem.Entry;
import java.util.List;

/** The active logs of a store, in the order in which they rank entries of the same time. */
public enum LogName {
    /** Failures. */
    FAILURES(Entry.Kind.FAILURE),
    /** Successes. */
    SUCCESSES(Entry.Kind.SUCCESS),
    /** The directives of this project. */
    DIRECTIVES(Entry.Kind.DIRECTIVE),
    /** The journal. */
    NOTES(Entry.Kind.NOTE),
    /** The user's directives for all projects, in a file that stores share. */
    GLOBAL_DIRECTIVES(Entry.Kind.DIRECTIVE);

    /** The logs that every store has, even if their files do not exist. */
    public static final List<LogName> OWN = List.of(FAILURES, SUCCESSES, DIRECTIVES, NOTES);

    private final Entry.Kind kind;

    LogName(Entry.Kind kind) {
        this.kind = kind;
    }

    /** The kind of its lines, unless a line names another one. */
    public Entry.Kind kind() {
        return kind;
    }

    /** Whether its entries get ids from the counter of the day. */
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
            case UNKNOWN -> throw new IllegalArgumentException("entries of unknown kinds have no log");
        };
    }
}
