package dev.xmem;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The base class of everything a store throws. Unchecked and sealed: the nested classes are all cases. The message of
 * each says what happened and what the caller can do. A programming error is an {@link IllegalArgumentException} or
 * {@link NullPointerException} instead.
 */
public abstract sealed class XMemException extends RuntimeException {
    XMemException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** A file could not be read or written. Acknowledged entries are not affected. */
    public static final class Io extends XMemException {
        private final transient Path file;

        /** Creates an exception about a file. */
        public Io(Path file, IOException cause) {
            super(
                    file + ": " + reason(file, cause)
                            + ". Check that the folder exists, is writable and has free space, then retry.",
                    cause);
            this.file = file;
        }

        /** What happened, for people: without the names of classes. */
        private static String reason(Path file, IOException cause) {
            if (!(cause instanceof FileSystemException problem)) {
                return cause.getMessage() == null ? cause.toString() : cause.getMessage();
            }
            String where = problem.getFile();
            String what = problem instanceof NoSuchFileException
                    ? "no such file or folder"
                    : problem instanceof FileAlreadyExistsException
                            ? "a file is in its place"
                            : problem instanceof AccessDeniedException ? "permission denied" : problem.getReason();
            boolean elsewhere = where != null && !where.equals(file.toString());
            return (what == null ? "it cannot be read or written" : what) + (elsewhere ? " (" + where + ")" : "");
        }

        /** Returns the file. */
        public Path file() {
            return file;
        }
    }

    /** A value exceeds {@link Limits}, which the builder of a store can raise. Nothing was written. */
    public static final class Limit extends XMemException {
        private final String name;
        private final long found;
        private final long limit;

        /** Creates an exception about a limit, with the actual value and the maximum. */
        public Limit(String name, long found, long limit) {
            this(name, found, limit, "Shorten it.");
        }

        /** Creates an exception about a limit, with the actual value, the maximum and a sentence on what to do. */
        public Limit(String name, long found, long limit, String remedy) {
            super(name + " is " + found + ", the limit is " + limit + ". " + remedy, null);
            this.name = name;
            this.found = found;
            this.limit = limit;
        }

        /** Returns the name of the limit. */
        public String name() {
            return name;
        }

        /** Returns the actual value, in the unit of the limit. */
        public long found() {
            return found;
        }

        /** Returns the maximum. */
        public long limit() {
            return limit;
        }
    }

    /**
     * A draft contains a secret, and it is a directive or the store was opened to reject secrets. Nothing was written.
     */
    public static final class Secret extends XMemException {
        private final String rule;

        /** Creates an exception that names the matching redaction rule, never the text. */
        public Secret(String rule) {
            super(
                    "the text appears to contain a secret (" + rule
                            + "). Remove it, or name the variable or the file that holds it, and retry.",
                    null);
            this.rule = rule;
        }

        /** Returns the redaction rule that matched, such as {@code github-token}. */
        public String rule() {
            return rule;
        }
    }

    /** A query, cursor, command or regular expression is malformed, or its evaluation takes too long. */
    public static final class Syntax extends XMemException {
        private final int position;

        /** Creates an exception with a description and the position of the mistake, in characters from 0. */
        public Syntax(String what, int position) {
            super(what + " (at character " + position + ")", null);
            this.position = position;
        }

        /** Returns the position of the mistake, in characters from 0. */
        public int position() {
            return position;
        }
    }

    /**
     * A required field is missing, a field is malformed, or an argument does not fit the store. Nothing was written.
     */
    public static final class Invalid extends XMemException {
        private final String field;

        /** Creates an exception about a field; an empty name stands for the whole line. */
        public Invalid(String field, String problem) {
            super((field + " " + problem).strip(), null);
            this.field = field;
        }

        /** Returns the JSON name of the field; empty for the whole line. */
        public String field() {
            return field;
        }
    }

    /** A line with the same id and other content is already stored. Nothing was written. */
    public static final class DuplicateId extends XMemException {
        private final String id;

        /** Creates an exception about an id. */
        public DuplicateId(String id) {
            super("the id " + id + " belongs to another line. Omit the id, and the store assigns a new one.", null);
            this.id = id;
        }

        /** Returns the id. */
        public String id() {
            return id;
        }
    }

    /** Several ids match the given prefix. */
    public static final class AmbiguousId extends XMemException {
        private final List<String> candidates;

        /** Creates an exception with the matching ids; the message shows at most ten. */
        public AmbiguousId(List<String> candidates) {
            super(
                    candidates.size() + " ids match: "
                            + String.join(", ", candidates.subList(0, Math.min(10, candidates.size())))
                            + (candidates.size() > 10 ? ", …" : "") + ". Give more of the id.",
                    null);
            this.candidates = List.copyOf(candidates);
        }

        /** Returns the matching ids. */
        public List<String> candidates() {
            return candidates;
        }
    }

    /** The store does not support the operation or the way it was opened. */
    public static final class Unsupported extends XMemException {
        /** Creates an exception with a sentence that says what is not supported and what to do instead. */
        public Unsupported(String what) {
            super(what, null);
        }
    }

    /**
     * Another process or thread held the lock for longer than the store waits, a quarter of a second unless it was
     * opened with another {@code lockTimeout}. Nothing was written, and a retry is safe.
     */
    public static final class Busy extends XMemException {
        private final transient Path lock;
        private final Duration waited;

        /** Creates an exception about a lock file that was not acquired within a duration. */
        public Busy(Path lock, Duration waited) {
            super(
                    lock + " is held by another process or thread; waited " + waited.toMillis()
                            + " ms, nothing was written." + " Try again, or open the store with a longer lockTimeout.",
                    null);
            this.lock = lock;
            this.waited = waited;
        }

        /** Returns the lock file. */
        public Path lock() {
            return lock;
        }

        /** Returns how long the call waited for the lock. */
        public Duration waited() {
            return waited;
        }
    }

    /** The store was closed before the call. */
    public static final class Closed extends XMemException {
        /** Creates an exception. */
        public Closed() {
            super("the store is closed. Open it again.", null);
        }
    }
}
