package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import dev.xmem.transcripts.ToolResponse;
import java.io.IOException;
import java.util.Map;

/**
 * GitHub Copilot, the command line program and the cloud agent: members in camel case without the name of the event, or
 * Claude Code's form if the name of the event is configured in Pascal case. Text for a failure goes to standard output
 * with exit code 2. Before a call, any exit code but 0 denies the call.
 */
final class CopilotDialect extends HookDialect {
    CopilotDialect() {
        super(
                "copilot",
                Map.of(
                        "PreToolUse", Type.BEFORE,
                        "PostToolUseFailure", Type.FAILED,
                        "PostToolUse", Type.ENDED,
                        "UserPromptSubmit", Type.PROMPT));
    }

    @Override
    boolean recognizes(EventFields event) {
        boolean camel = event.has("sessionId") && !event.has("hookEventName") && !event.has("hook_event_name");
        return camel || event.has("hook_event_name") && event.has("timestamp") && !event.has("transcript_path");
    }

    @Override
    String name(EventFields event) {
        if (event.has("hook_event_name")) {
            return super.name(event);
        } else if (!event.has("toolName")) {
            return event.has("prompt") && !event.has("transformedPrompt") ? "UserPromptSubmit" : "";
        } else if (event.has("error")) {
            return "PostToolUseFailure";
        }
        return event.has("toolResult") ? "PostToolUse" : "PreToolUse";
    }

    @Override
    ToolResponse response(EventFields event, Type type) throws IOException {
        String result = type == Type.FAILED ? event.text("error") : event.text("toolResult", "tool_result");
        return ToolResponse.of(result).ofCopilot();
    }

    @Override
    public String context(HookEvent event, String text) throws IOException {
        return switch (event.type()) {
            case FAILED -> text;
            case ENDED -> json(out -> out.writeStringField("additionalContext", text));
            case BEFORE, PROMPT, STOPPED, OTHER -> "";
        };
    }

    /** The output for a prompt is dropped, so the model answers. */
    @Override
    public String reply(String text) {
        return "";
    }

    @Override
    public int exitCode(HookEvent event) {
        return event.type() == Type.FAILED ? 2 : 0;
    }
}
