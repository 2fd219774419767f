package dev.xmem;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A tool call that went wrong, and what to do about it: a line of {@code failures.jsonl}. */
public non-sealed interface Failure extends Entry {

    /**
     * A draft of a failure.
     *
     * @param tool the tool's name, such as {@code rclone}
     * @param action what was attempted, such as {@code sync remote:a /b}; a leading tool name is optional
     * @param error all that the tool said; the store picks the telling lines and keeps 200 characters of them
     */
    static Draft of(String tool, String action, String error) {
        return new Draft(FieldSource.of("tool", tool)).set("action", action).set("error", error);
    }

    /** A draft of a failure from a call and how it failed; the call's session goes with it. */
    static Draft of(ToolCall call, ToolError error) {
        Draft draft = of(call.tool(), call.action(), error.text());
        Integer code = error.exitCode();
        String session = call.session();
        draft = code == null ? draft : draft.set("exit_code", code);
        return session == null ? draft : draft.sessionId(session);
    }

    /** The tool's name. */
    String tool();

    /** The operation attempted, redacted. */
    String action();

    /** What the tool said: at most 200 code points, beginning at the first telling line. */
    String error();

    /** What not to do, or what to do instead; null if nobody said. */
    @Nullable String patternAvoid();

    /** What else was attempted; empty if nothing. */
    List<String> triedAlso();

    /** How loudly to warn. Default {@link BlockLevel#WARNING}. */
    BlockLevel blockLevel();

    /** The family of this failure, {@code tool-action-pattern}. */
    String ctxHash();

    /** The session it happened in; null if unknown. */
    @Nullable String sessionId();

    /** Free text; null if none. */
    @Nullable String notes();

    /** How serious it is to run into this failure again. */
    enum BlockLevel {
        /** Worth knowing. */
        WARNING,
        /** Worth stopping for. */
        CRITICAL
    }

    /** What a caller knows of a failure. Immutable: each setter returns a copy. */
    final class Draft implements EntryDraft {
        private final Map<String, Object> fields;

        private Draft(Map<String, Object> fields) {
            this.fields = fields;
        }

        private Draft set(String name, Object value) {
            return new Draft(FieldSource.with(fields, name, value));
        }

        /** What to avoid, or to do instead: the lesson. */
        public Draft patternAvoid(String advice) {
            return set("pattern_avoid", advice);
        }

        /** What else was attempted. */
        public Draft triedAlso(String... attempts) {
            return set("tried_also", List.of(attempts));
        }

        /** Words to find it by. */
        public Draft tags(String... tags) {
            return set("tags", List.of(tags));
        }

        /** How loudly to warn; default {@link BlockLevel#WARNING}. */
        public Draft blockLevel(BlockLevel level) {
            return set("block_level", level);
        }

        /** The session it happened in. */
        public Draft sessionId(String id) {
            return set("session_id", id);
        }

        /** Free text. */
        public Draft notes(String notes) {
            return set("notes", notes);
        }

        @Override
        public Map<String, Object> fields() {
            return fields;
        }
    }
}
