package dev.xmem.core.base.config;

import dev.xmem.Entry;
import java.util.List;

/** The active logs of a store, in the order in which they rank entries of the same time. */
public enum LogName {
    /** Failures. */
    FAILURES(Entry.Kind.FAILURE, "failures.jsonl"),
    /** Successes. */
    SUCCESSES(Entry.Kind.SUCCESS, "successes.jsonl"),
    /** The directives of this project. */
    DIRECTIVES(Entry.Kind.DIRECTIVE, "memories.ndjson"),
    /** The journal. */
    NOTES(Entry.Kind.NOTE, "notes.jsonl"),
    /** The user's directives for all projects, in a file that stores share. */
    GLOBAL_DIRECTIVES(Entry.Kind.DIRECTIVE, "memories.ndjson");

    /** The logs that every store has, even if their files do not exist. */
    public static final List<LogName> OWN = List.of(FAILURES, SUCCESSES, DIRECTIVES, NOTES);

    private final Entry.Kind kind;
    private final String fileName;

    LogName(Entry.Kind kind, String fileName) {
        this.kind = kind;
        this.fileName = fileName;
    }

    /** The name of its file, unless the builder of the store gives another path. */
    public String fileName() {
        return fileName;
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
        for (LogName log : OWN) {
            if (log.kind == kind) {
                return log;
            }
        }
        throw new IllegalArgumentException("entries of unknown kinds have no log");
    }
}
