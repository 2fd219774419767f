package dev.xmem.transcripts;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * GitHub Copilot CLI: {@code session-state/<session>/events.jsonl}. A call is {@code tool.execution_start}, its result
 * {@code tool.execution_complete}; some versions write no result text. Last verified on 2026-11-23 with lines of
 * versions 1.0.71 to 1.0.80.
 */
final class CopilotFormat extends LineFormat {
    private static final Set<String> SKIPPED = Set.of(
            "toolTelemetry",
            "reasoningOpaque",
            "reasoningText",
            "encryptedContent",
            "transformedContent",
            "toolRequests");
    private static final Pattern KNOWN = Pattern.compile("(?:session|user|assistant|system|tool|hook|subagent|skill"
            + "|permission|external_tool|pending_messages|model|command|mcp)\\..*|abort");
    private static final Set<String> REFUSED = Set.of("denied", "rejected");
    private static final List<String> REFUSALS = List.of(
            "The user rejected this tool call",
            "Permission denied and could not request permission",
            "The tool call required approval",
            "Denied by preToolUse hook",
            "Tool execution denied");

    @Override
    Set<String> skipped() {
        return SKIPPED;
    }

    @Override
    void line(Map<String, Object> line, CallCollector out) {
        String type = JsonTree.text(line, "type");
        Map<String, Object> data = JsonTree.object(line, "data");
        out.at(line.get("timestamp"));
        switch (type) {
            case "session.start", "session.resume" ->
                out.in(JsonTree.text(data, "sessionId"), JsonTree.text(JsonTree.object(data, "context"), "cwd"));
            case "tool.execution_start" ->
                out.call(
                        JsonTree.text(data, "toolCallId"),
                        JsonTree.text(data, "toolName"),
                        data.get("arguments"),
                        data.containsKey("mcpServerName"));
            case "tool.execution_complete" -> result(data, out);
            case "abort" -> out.interruptedAll();
            default -> out.counts.unknown += KNOWN.matcher(type).matches() ? 0 : 1;
        }
    }

    private static void result(Map<String, Object> data, CallCollector out) {
        String id = JsonTree.text(data, "toolCallId");
        boolean failed = Boolean.FALSE.equals(data.get("success"));
        Map<String, Object> error = JsonTree.object(data, "error");
        Map<String, Object> result = JsonTree.object(data, "result");
        String text = failed ? JsonTree.text(error, "message") : "";
        if (text.isEmpty()) {
            String content = JsonTree.text(result, "content", "detailedContent");
            text = content.isEmpty() ? JsonTree.text(data, "result", "error") : content;
        }
        Integer code = JsonTree.code(JsonTree.object(data, "shellExecution"), "exitCode");
        if (failed && (REFUSED.contains(JsonTree.text(error, "code")) || ClaudeFormat.starts(text, REFUSALS))) {
            out.refused(id);
            return;
        }
        out.result(id, new ToolResponse(text, code, false).ofCopilot(), failed);
    }
}
