package dev.xmem;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A failure: a tool call that failed and what to do about it, a line of {@code failures.jsonl}. */
public non-sealed interface Failure extends Entry {

    /**
     * Creates a draft of a failure.
     *
     * @param tool the tool's name, such as {@code rclone}
     * @param action the attempted operation, such as {@code sync remote:a /b}; a leading tool name is optional
     * @param error the complete output of the tool; the store keeps at most 200 code points of its relevant lines
     */
    static Draft of(String tool, String action, String error) {
        return new Draft(FieldSource.of("tool", tool)).set("action", action).set("error", error);
    }

    /** Creates a draft of a failure from a call, with its session, and its error. */
    static Draft of(ToolCall call, ToolError error) {
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(error, "error");
        Draft draft = of(call.tool(), call.action(), error.text());
        Integer code = error.exitCode();
        String session = call.session();
        draft = code == null ? draft : draft.set("exit_code", code);
        return session == null ? draft : draft.sessionId(session);
    }

    /** Returns the name of the tool. */
    String tool();

    /** Returns the attempted operation, redacted. */
    String action();

    /** Returns the error: at most 200 code points of the output, from its first relevant line. */
    String error();

    /** Returns the lesson: what to avoid or to do instead; null if there is none. */
    @Nullable String patternAvoid();

    /** Returns the other attempts; empty if there are none. */
    List<String> triedAlso();

    /** Returns the severity. Default {@link BlockLevel#WARNING}, which a failure of a peer always has. */
    BlockLevel blockLevel();

    /** Returns the context hash, the family of the failure: {@code tool-action-pattern}, or {@code tool-pattern}. */
    String ctxHash();

    /** Returns the session in which the call failed; null if unknown. */
    @Nullable String sessionId();

    /** Returns free text; null if there is none. */
    @Nullable String notes();

    /** The severity of repeating a failure. */
    enum BlockLevel {
        /** The agent should know. */
        WARNING,
        /** The agent should stop. */
        CRITICAL
    }

    /** A failure before it is stored. Immutable and thread-safe; each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** Returns a copy with the lesson: what to avoid or to do instead. Default: none. */
        public Draft patternAvoid(String advice) {
            return set("pattern_avoid", advice);
        }

        /** Returns a copy with the other attempts. Default: none. */
        public Draft triedAlso(String... attempts) {
            return set("tried_also", FieldSource.list("attempts", attempts));
        }

        /** Returns a copy with these tags in place of the previous ones. Default: none. */
        public Draft tags(String... tags) {
            return set("tags", FieldSource.list("tags", tags));
        }

        /** Returns a copy with the severity. Default {@link BlockLevel#WARNING}. */
        public Draft blockLevel(BlockLevel level) {
            return set("block_level", level);
        }

        /** Returns a copy with the session in which the call failed. Default: unknown. */
        public Draft sessionId(String id) {
            return set("session_id", id);
        }

        /** Returns a copy with free text. Default: none. */
        public Draft notes(String notes) {
            return set("notes", notes);
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
