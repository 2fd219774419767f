package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import java.io.IOException;
import java.util.Map;

/**
 * The agent of VS Code: Claude Code's form, but the event and the session are named in camel case. It has no event for
 * a failure. For a prompt it reads only whether to stop, and what the user is told.
 */
final class VscodeDialect extends HookDialect {
    VscodeDialect() {
        super(
                "vscode",
                Map.of(
                        "PreToolUse", Type.BEFORE,
                        "PostToolUse", Type.ENDED,
                        "UserPromptSubmit", Type.PROMPT));
    }

    @Override
    boolean recognizes(EventFields event) {
        return event.has("hookEventName");
    }

    @Override
    String name(EventFields event) {
        return event.text("hookEventName", "hook_event_name");
    }

    @Override
    boolean isForeign(String tool, EventFields event) {
        return tool.startsWith("mcp_");
    }

    @Override
    public String context(HookEvent event, String text) throws IOException {
        return event.type() == Type.PROMPT ? "" : super.context(event, text);
    }

    @Override
    public String reply(String text) throws IOException {
        return json(out -> {
            out.writeBooleanField("continue", false);
            out.writeStringField("stopReason", text);
        });
    }
}
