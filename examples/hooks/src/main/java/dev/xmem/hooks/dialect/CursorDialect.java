package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import dev.xmem.transcripts.ToolResponse;
import java.io.IOException;
import java.util.Map;

/**
 * Cursor: events in camel case with the id of a conversation. A result is JSON in a string. Before a call the agent
 * reads only a permission, and for a prompt only whether to go on, so the hook has no output there. Hooks in the
 * settings of Claude Code get the names of its events and answer in its form.
 */
final class CursorDialect extends HookDialect {
    CursorDialect() {
        super(
                "cursor",
                Map.of(
                        "preToolUse", Type.BEFORE,
                        "PreToolUse", Type.BEFORE,
                        "postToolUseFailure", Type.FAILED,
                        "PostToolUseFailure", Type.FAILED,
                        "postToolUse", Type.ENDED,
                        "PostToolUse", Type.ENDED,
                        "beforeSubmitPrompt", Type.PROMPT,
                        "UserPromptSubmit", Type.PROMPT));
    }

    @Override
    boolean recognizes(EventFields event) {
        return event.has("hook_event_name") && (event.has("conversation_id") || event.has("cursor_version"));
    }

    @Override
    boolean isForeign(String tool, EventFields event) {
        return tool.startsWith("MCP:");
    }

    @Override
    ToolResponse response(EventFields event, Type type) throws IOException {
        ToolResponse response = ToolResponse.of(
                type == Type.FAILED
                        ? event.text("error_message", "error")
                        : event.text("tool_output", "tool_response"));
        boolean refused = event.text("failure_type").equals("permission_denied");
        return refused || event.text("is_interrupt").equals("true") ? response.interrupted() : response;
    }

    @Override
    public String context(HookEvent event, String text) throws IOException {
        boolean isClaude = Character.isUpperCase(event.name().charAt(0));
        return switch (event.type()) {
            case FAILED, ENDED ->
                isClaude ? super.context(event, text) : json(out -> out.writeStringField("additional_context", text));
            case BEFORE, PROMPT, STOPPED, OTHER -> "";
        };
    }

    @Override
    public String reply(String text) throws IOException {
        return json(out -> {
            out.writeBooleanField("continue", false);
            out.writeStringField("user_message", text);
        });
    }
}
