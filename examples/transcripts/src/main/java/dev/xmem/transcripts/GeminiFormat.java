package dev.xmem.transcripts;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gemini CLI: {@code tmp/<project>/chats/session-*.jsonl}, and {@code .json} with all messages in one document. A
 * message has its calls with their results; it is written again when they change. A call that was rewound was made
 * nevertheless. Last verified on 2026-11-23 with the types of the program's source.
 */
final class GeminiFormat extends LineFormat {
    private static final Set<String> SKIPPED =
            Set.of("thoughts", "resultDisplay", "tokens", "displayContent", "description", "inlineData");
    private static final Set<String> KNOWN = Set.of("user", "gemini", "model", "info", "error", "warning");
    private static final List<String> REFUSALS = List.of("Tool execution denied", "Tool execution blocked");
    private static final int MAX_SEEN = 4096;

    /** The ids of the calls that were added. */
    private final Set<String> seen = Collections.newSetFromMap(new BoundedMap<>(MAX_SEEN));

    @Override
    Set<String> skipped() {
        return SKIPPED;
    }

    @Override
    void line(Map<String, Object> line, CallCollector out) {
        if (line.containsKey("sessionId")) {
            out.at(line.get("startTime"));
            out.in(JsonTree.text(line, "sessionId"), "");
            return;
        }
        for (Object each : JsonTree.array(JsonTree.object(line, "$set"), "messages")) {
            message(JsonTree.asObject(each), out);
        }
        if (line.containsKey("type")) {
            message(line, out);
        } else if (!line.containsKey("$set") && !line.containsKey("$rewindTo")) {
            out.counts.unknown++;
        }
    }

    /** Adds the calls of a message. */
    void message(Map<String, Object> message, CallCollector out) {
        if (!KNOWN.contains(JsonTree.text(message, "type"))) {
            out.counts.unknown++;
            return;
        }
        out.at(message.get("timestamp"));
        for (Object each : JsonTree.array(message, "toolCalls")) {
            call(JsonTree.asObject(each), out);
        }
    }

    private void call(Map<String, Object> call, CallCollector out) {
        String id = JsonTree.text(call, "id");
        String status = JsonTree.text(call, "status");
        if (!Set.of("success", "error", "cancelled").contains(status) || !seen.add(id)) {
            return;
        }
        out.at(call.get("timestamp"));
        String tool = JsonTree.text(call, "name");
        out.call(id, tool, JsonTree.object(call, "args"), tool.startsWith("mcp_"));
        String text = text(call);
        if (status.equals("cancelled")) {
            out.interrupted(id);
        } else if (ClaudeFormat.starts(text, REFUSALS)) {
            out.refused(id);
        } else {
            out.result(id, new ToolResponse(text, null, false).ofGemini(), status.equals("error"));
        }
    }

    private static String text(Map<String, Object> call) {
        StringBuilder text = new StringBuilder();
        for (Object each : JsonTree.array(call, "result")) {
            Map<String, Object> part = JsonTree.asObject(each);
            Map<String, Object> response = JsonTree.object(JsonTree.object(part, "functionResponse"), "response");
            text.append(JsonTree.text(response, "error", "output", "content")).append(JsonTree.text(part, "text"));
        }
        return text.toString();
    }
}
