package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import java.util.Map;

/**
 * Codex: Claude Code's form with the id of a turn. It has no event for a failure. {@code tool_response} is the text
 * that the model sees, with the exit code in one of its first lines in some versions, or an object.
 */
final class CodexDialect extends HookDialect {
    CodexDialect() {
        super(
                "codex",
                Map.of(
                        "PreToolUse", Type.BEFORE,
                        "PostToolUse", Type.ENDED,
                        "UserPromptSubmit", Type.PROMPT,
                        "Stop", Type.STOPPED));
    }

    @Override
    boolean recognizes(EventFields event) {
        return event.has("hook_event_name") && event.has("turn_id");
    }
}
