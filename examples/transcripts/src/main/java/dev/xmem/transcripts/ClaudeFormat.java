package dev.xmem.transcripts;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Claude Code: {@code projects/<folder>/<session>.jsonl}, and {@code subagents/*.jsonl} with the session of the parent.
 * A call is a {@code tool_use} of the assistant; its result is a {@code tool_result} of the user. Also reads the lines
 * of {@code --output-format stream-json}. Last verified on 2026-11-23 with lines of versions 2.1.29 to 2.1.270.
 */
final class ClaudeFormat extends LineFormat {
    private static final Set<String> SKIPPED =
            Set.of("toolUseResult", "tool_use_result", "thinking", "signature", "usage", "attachment", "snapshot");
    private static final Set<String> KNOWN = Set.of(
            "user",
            "assistant",
            "system",
            "summary",
            "progress",
            "result",
            "file-history-snapshot",
            "queue-operation",
            "attachment",
            "last-prompt",
            "custom-title",
            "ai-title",
            "pr-link",
            "mode",
            "permission-mode");
    private static final List<String> REFUSALS = List.of(
            "Permission to use ",
            "Permission for this ",
            "Claude requested permissions ",
            "This command requires approval",
            "This Bash command contains multiple operations. The following part",
            "The user doesn't want to proceed",
            "The user doesn't want to take this action",
            "Hook PreToolUse:",
            "PreToolUse:");
    private static final List<String> INTERRUPTS = List.of(
            "[Request interrupted by user",
            "<tool_use_error>Sibling tool call errored",
            "<tool_use_error>Cancelled",
            "Interrupted by user");

    @Override
    Set<String> skipped() {
        return SKIPPED;
    }

    @Override
    void line(Map<String, Object> line, CallCollector out) {
        String type = JsonTree.text(line, "type");
        if (!KNOWN.contains(type)) {
            out.counts.unknown++;
            return;
        }
        out.at(line.get("timestamp"));
        out.in(JsonTree.text(line, "sessionId", "session_id"), JsonTree.text(line, "cwd"));
        for (Object each : JsonTree.array(JsonTree.object(line, "message"), "content")) {
            Map<String, Object> part = JsonTree.asObject(each);
            String kind = JsonTree.text(part, "type");
            if (kind.equals("tool_use")) {
                String tool = JsonTree.text(part, "name");
                out.call(JsonTree.text(part, "id"), tool, JsonTree.object(part, "input"), tool.startsWith("mcp__"));
            } else if (kind.equals("tool_result")) {
                result(line, part, out);
            }
        }
    }

    private static void result(Map<String, Object> line, Map<String, Object> part, CallCollector out) {
        String id = JsonTree.text(part, "tool_use_id");
        String text = JsonTree.texts(part.get("content"));
        boolean failed = Boolean.TRUE.equals(part.get("is_error"));
        if (failed && (isNotRun(line, id) || starts(text, REFUSALS))) {
            out.refused(id);
        } else if (failed && starts(text, INTERRUPTS)) {
            out.interrupted(id);
        } else {
            out.result(id, failed ? CallCollector.response(text) : new ToolResponse(text, null, false), failed);
        }
    }

    /** Whether the line says that the call was not run. */
    private static boolean isNotRun(Map<String, Object> line, String id) {
        for (Object each : JsonTree.array(line, "tool_result_meta")) {
            Map<String, Object> meta = JsonTree.asObject(each);
            String of = JsonTree.text(meta, "tool_use_id");
            if (!JsonTree.text(meta, "non_execution_kind").isEmpty() && (of.isEmpty() || of.equals(id))) {
                return true;
            }
        }
        return false;
    }

    static boolean starts(String text, List<String> beginnings) {
        return beginnings.stream().anyMatch(text::startsWith);
    }
}
