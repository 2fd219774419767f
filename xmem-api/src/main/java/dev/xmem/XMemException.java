package dev.xmem;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a store throws. Unchecked; the nested cases are all there are. A mistake in the calling program is an
 * {@link IllegalArgumentException} or {@link NullPointerException} instead.
 */
public abstract sealed class XMemException extends RuntimeException {
    XMemException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** A file could not be read or written. What was acknowledged before stays. */
    public static final class Io extends XMemException {
        private final transient Path file;

        /** Names the file and keeps the cause. */
        public Io(Path file, IOException cause) {
            super(
                    file + ": " + cause + ". Check that the folder exists, is writable and has room, then try again.",
                    cause);
            this.file = file;
        }

        /** The file. */
        public Path file() {
            return file;
        }
    }

    /** Something is larger than {@link Limits} allows. Nothing was written. */
    public static final class Limit extends XMemException {
        private final String name;
        private final long found;
        private final long limit;

        /** Names the limit, with both figures. */
        public Limit(String name, long found, long limit) {
            super(
                    name + " is " + found + ", the limit is " + limit + ". Shorten it, or raise the limit in Limits.",
                    null);
            this.name = name;
            this.found = found;
            this.limit = limit;
        }

        /** What is limited. */
        public String name() {
            return name;
        }

        /** What was found. */
        public long found() {
            return found;
        }

        /** What is allowed. */
        public long limit() {
            return limit;
        }
    }

    /** A secret stands where none may be stored. Nothing was written. */
    public static final class Secret extends XMemException {
        private final String rule;

        /** Names the rule that matched, never the text. */
        public Secret(String rule) {
            super("the text looks like it holds a secret (" + rule + "). Take it out and try again.", null);
            this.rule = rule;
        }

        /** The rule that matched. */
        public String rule() {
            return rule;
        }
    }

    /** A query, a cursor, a command or a regular expression cannot be understood or takes too long. */
    public static final class Syntax extends XMemException {
        private final int position;

        /** Says what is wrong and where, in characters from the beginning. */
        public Syntax(String what, int position) {
            super(what + " (at character " + position + ")", null);
            this.position = position;
        }

        /** Where, in characters from the beginning. */
        public int position() {
            return position;
        }
    }

    /** An entry lacks what it needs, or a field holds what it may not. Nothing was written. */
    public static final class Invalid extends XMemException {
        private final String field;

        /** Names the field and what to do. */
        public Invalid(String field, String problem) {
            super((field + " " + problem).strip(), null);
            this.field = field;
        }

        /** The field's JSON name; empty for the whole line. */
        public String field() {
            return field;
        }
    }

    /** A line with this id and another content is already stored. Nothing was written. */
    public static final class DuplicateId extends XMemException {
        private final String id;

        /** Names the id. */
        public DuplicateId(String id) {
            super("the id " + id + " is taken by another line. Leave the id out and the store gives a new one.", null);
            this.id = id;
        }

        /** The id that is taken. */
        public String id() {
            return id;
        }
    }

    /** Several ids begin with what was given. */
    public static final class AmbiguousId extends XMemException {
        private final List<String> candidates;

        /** Lists the ids; at most ten are shown. */
        public AmbiguousId(List<String> candidates) {
            super(
                    candidates.size() + " ids begin so: "
                            + String.join(", ", candidates.subList(0, Math.min(10, candidates.size())))
                            + (candidates.size() > 10 ? ", …" : "") + ". Give more of the id.",
                    null);
            this.candidates = List.copyOf(candidates);
        }

        /** The ids that begin so. */
        public List<String> candidates() {
            return candidates;
        }
    }

    /** The store was opened, built or asked in a way that it does not support. */
    public static final class Unsupported extends XMemException {
        /** A sentence that says what is not there and what to do instead. */
        public Unsupported(String what) {
            super(what, null);
        }
    }

    /** Another process or thread held the lock too long. Nothing was written; trying again is safe. */
    public static final class Busy extends XMemException {
        private final transient Path lock;
        private final Duration waited;

        /** Names the lock file and how long was waited. */
        public Busy(Path lock, Duration waited) {
            super(
                    lock + " is held by another process and was not had in " + waited.toMillis() + " ms. Try again.",
                    null);
            this.lock = lock;
            this.waited = waited;
        }

        /** The lock file. */
        public Path lock() {
            return lock;
        }

        /** How long was waited. */
        public Duration waited() {
            return waited;
        }
    }

    /** The store is closed. */
    public static final class Closed extends XMemException {
        /** Without details. */
        public Closed() {
            super("the store is closed. Open it again.", null);
        }
    }
}
