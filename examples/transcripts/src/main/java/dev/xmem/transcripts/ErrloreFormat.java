package dev.xmem.transcripts;

import dev.xmem.ToolCall;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The logs of errlore: {@code errors.jsonl} has failures, some with a resolution, and {@code lessons.jsonl} has
 * lessons. Last verified on 2026-11-23 with the record types of its source.
 */
final class ErrloreFormat extends LineFormat {
    private @Nullable String file;

    @Override
    void line(Map<String, Object> line, CallCollector out) {
        String id = JsonTree.text(line, "id");
        out.at(line.getOrDefault("timestamp", line.get("created_at")));
        if (line.containsKey("error_type") && line.containsKey("message")) {
            String stack = JsonTree.text(line, "stacktrace");
            String error = JsonTree.text(line, "error_type") + ": " + JsonTree.text(line, "message");
            String lesson = Boolean.TRUE.equals(line.get("resolved")) ? JsonTree.text(line, "resolution") : "";
            add(id, line, JsonTree.text(line, "context"), stack.isEmpty() ? error : error + '\n' + stack, lesson, out);
        } else if (line.containsKey("pattern") && line.containsKey("solution")) {
            add(id, line, "", JsonTree.text(line, "pattern"), JsonTree.text(line, "solution"), out);
        } else {
            out.counts.unknown++;
        }
    }

    private void add(
            String id, Map<String, Object> line, String action, String error, String lesson, CallCollector out) {
        Map<String, Object> metadata = JsonTree.object(line, "metadata");
        String named = JsonTree.text(metadata, "tool", "tool_name");
        String task = named.isEmpty() ? JsonTree.text(line, "task_type") : named;
        file = file == null ? out.session : file;
        out.session = file;
        out.folder = null;
        out.in(JsonTree.text(metadata, "session_id", "session"), JsonTree.text(metadata, "cwd"));
        @Nullable String told = lesson.isBlank() ? null : lesson;
        out.failure(id, ToolCall.of(task.isBlank() ? "unknown" : task, action), error, told);
    }
}
