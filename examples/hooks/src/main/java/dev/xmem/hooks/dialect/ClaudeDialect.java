package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import java.util.Map;

/** Claude Code: the form that the base class has. A failure is an event of its own. */
final class ClaudeDialect extends HookDialect {
    ClaudeDialect() {
        super(
                "claude",
                Map.of(
                        "PreToolUse", Type.BEFORE,
                        "PostToolUseFailure", Type.FAILED,
                        "PostToolUse", Type.ENDED,
                        "UserPromptSubmit", Type.PROMPT,
                        "Stop", Type.STOPPED,
                        "SessionEnd", Type.STOPPED));
    }

    @Override
    boolean recognizes(EventFields event) {
        return event.has("hook_event_name");
    }
}
