package dev.xmem.hooks.dialect;

import dev.xmem.hooks.dialect.HookEvent.Type;
import dev.xmem.transcripts.ToolResponse;
import java.io.IOException;
import java.util.Map;

/**
 * Gemini CLI. The text of a shell command ends with its exit code, if that is not 0. Before a call the agent reads only
 * a refusal, so the hook has no output there.
 */
final class GeminiDialect extends HookDialect {
    private static final String CANCELLED = "Command was cancelled by user";

    GeminiDialect() {
        super("gemini", Map.of("BeforeTool", Type.BEFORE, "AfterTool", Type.ENDED, "BeforeAgent", Type.PROMPT));
    }

    @Override
    boolean recognizes(EventFields event) {
        return name(event).matches("(?:Before|After)(?:Tool|Agent|Model|ToolSelection)");
    }

    @Override
    boolean isForeign(String tool, EventFields event) {
        return tool.startsWith("mcp_") || event.has("mcp_context");
    }

    @Override
    ToolResponse response(EventFields event, Type type) throws IOException {
        ToolResponse response = super.response(event, type).ofGemini();
        return response.text().startsWith(CANCELLED) ? response.interrupted() : response;
    }

    @Override
    public String context(HookEvent event, String text) throws IOException {
        return event.type() == Type.BEFORE ? "" : super.context(event, text);
    }

    @Override
    public String reply(String text) throws IOException {
        return json(out -> {
            out.writeStringField("decision", "deny");
            out.writeStringField("reason", text);
        });
    }
}
