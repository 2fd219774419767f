package dev.xmem.transcripts;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Codex CLI: {@code sessions/YYYY/MM/DD/rollout-*.jsonl}. A line has a {@code type} and a {@code payload}; in the first
 * generation a line is the item itself. The exit code is in an event {@code exec_command_end}, or in the text that the
 * model saw; an event may come before or after that text. Last verified on 2026-11-23 with lines of versions 0.2 to
 * 0.132.
 */
final class CodexFormat extends LineFormat {
    private static final Set<String> SKIPPED = Set.of(
            "base_instructions",
            "instructions",
            "encrypted_content",
            "formatted_output",
            "parsed_cmd",
            "user_instructions");
    private static final Set<String> ITEMS = Set.of(
            "function_call",
            "function_call_output",
            "custom_tool_call",
            "custom_tool_call_output",
            "local_shell_call",
            "message",
            "reasoning");
    private static final Set<String> OTHER = Set.of(
            "session_meta", "turn_context", "response_item", "event_msg", "compacted", "ghost_snapshot", "world_state");
    private static final Pattern CODE = Pattern.compile("(?m)^(?:Process exited with code|Exit code:) (-?\\d{1,9})\\b");
    private static final String OUTPUT = "\nOutput:\n";
    private static final List<String> REFUSALS =
            List.of("exec command rejected", "patch rejected", "rejected by user", "This action was rejected");
    private static final List<String> ABORTS = List.of("aborted by user", "aborted");
    private static final int MAX_WAITING = 64;

    /** The outputs without an exit code: an event may bring it. */
    private final Map<String, String> waiting = new LinkedHashMap<>();

    @Override
    Set<String> skipped() {
        return SKIPPED;
    }

    @Override
    void line(Map<String, Object> line, CallCollector out) {
        String type = JsonTree.text(line, "type");
        Map<String, Object> payload = JsonTree.object(line, "payload");
        if (ITEMS.contains(type) && payload.isEmpty()) {
            item(type, line, out);
            return;
        }
        if (payload.isEmpty() && line.containsKey("id") && line.containsKey("timestamp")) {
            meta(line, out); // the first line of the first generation
            return;
        }
        if (!OTHER.contains(type)) {
            out.counts.unknown += line.containsKey("record_type") ? 0 : 1;
            return;
        }
        out.at(line.get("timestamp"));
        String kind = JsonTree.text(payload, "type");
        switch (type) {
            case "session_meta" -> meta(payload, out);
            case "turn_context" -> out.in("", JsonTree.text(payload, "cwd"));
            case "response_item" -> item(kind, payload, out);
            case "event_msg" -> event(kind, payload, out);
            default -> {
                // has no calls
            }
        }
    }

    private static void meta(Map<String, Object> meta, CallCollector out) {
        out.at(meta.get("timestamp"));
        out.in(JsonTree.text(meta, "id", "session_id"), JsonTree.text(meta, "cwd"));
    }

    private void item(String kind, Map<String, Object> item, CallCollector out) {
        String id = JsonTree.text(item, "call_id", "id");
        switch (kind) {
            case "function_call" -> {
                flush(out);
                String arguments = JsonTree.text(item, "arguments");
                String name = JsonTree.text(item, "name");
                String directory = JsonTree.text(JsonTree.asObject(JsonTree.parse(arguments)), "workdir");
                out.call(id, name, arguments, name.contains("__"), directory);
            }
            case "custom_tool_call" -> {
                flush(out);
                String input = JsonTree.text(item, "input");
                out.call(id, JsonTree.text(item, "name"), Map.of("input", input), true);
            }
            case "local_shell_call" -> {
                flush(out);
                Map<String, Object> action = JsonTree.object(item, "action");
                out.call(id, "shell", action, false, JsonTree.text(action, "working_directory"));
            }
            case "function_call_output", "custom_tool_call_output" -> output(id, item.get("output"), out);
            default -> {
                // a message, or reasoning
            }
        }
    }

    private void output(String id, @Nullable Object output, CallCollector out) {
        if (!out.isOpen(id)) {
            return; // an event has told the result
        }
        Map<String, Object> object = JsonTree.asObject(output);
        String text = object.isEmpty() ? JsonTree.texts(output) : JsonTree.texts(object.get("content"));
        if (ClaudeFormat.starts(text, REFUSALS)) {
            out.refused(id);
            return;
        } else if (ClaudeFormat.starts(text, ABORTS)) {
            out.interrupted(id);
            return;
        }
        Map<String, Object> shell = text.startsWith("{") ? JsonTree.asObject(JsonTree.parse(text)) : Map.of();
        Integer code = JsonTree.code(JsonTree.object(shell, "metadata"), "exit_code");
        if (code != null) {
            out.result(id, new ToolResponse(JsonTree.text(shell, "output"), code, false), code != 0);
            return;
        }
        int body = text.indexOf(OUTPUT);
        Matcher found = CODE.matcher(body < 0 ? text : text.substring(0, body + 1));
        if (found.find()) {
            String rest = body < 0 ? text : text.substring(body + OUTPUT.length());
            int exit = Integer.parseInt(found.group(1));
            out.result(id, new ToolResponse(rest, exit, false), exit != 0);
        } else if (Boolean.FALSE.equals(object.get("success"))) {
            out.result(id, new ToolResponse(text, null, false), true);
        } else {
            waiting.put(id, text);
            if (waiting.size() > MAX_WAITING) {
                flush(out);
            }
        }
    }

    private void event(String kind, Map<String, Object> event, CallCollector out) {
        String id = JsonTree.text(event, "call_id");
        switch (kind) {
            case "exec_command_end" -> ended(id, event, out);
            case "patch_apply_end" -> {
                boolean failed = Boolean.FALSE.equals(event.get("success"));
                String text = JsonTree.text(event, failed ? "stderr" : "stdout");
                told(id, new ToolResponse(text, failed ? 1 : 0, false), failed, out);
            }
            case "mcp_tool_call_end" -> mcp(id, event, out);
            case "turn_aborted" -> {
                flush(out);
                out.interruptedAll();
            }
            default -> {
                // has no result of a call
            }
        }
    }

    private void ended(String id, Map<String, Object> event, CallCollector out) {
        if (JsonTree.text(event, "status").equals("declined")) {
            waiting.remove(id);
            out.refused(id);
            return;
        }
        if (!out.isOpen(id) && event.containsKey("command")) {
            return; // the text before it had the exit code
        }
        Integer code = JsonTree.code(event, "exit_code");
        String output = JsonTree.text(event, "aggregated_output");
        String text = output.isEmpty() ? JsonTree.text(event, "stdout") + JsonTree.text(event, "stderr") : output;
        boolean failed = JsonTree.text(event, "status").equals("failed");
        told(id, new ToolResponse(text, code, false), failed, out);
    }

    private void mcp(String id, Map<String, Object> event, CallCollector out) {
        Map<String, Object> result = JsonTree.object(event, "result");
        Map<String, Object> ok = result.containsKey("Ok") ? JsonTree.object(result, "Ok") : result;
        Object error = result.get("Err");
        boolean failed =
                error != null || Boolean.TRUE.equals(ok.get("isError")) || Boolean.TRUE.equals(ok.get("is_error"));
        String text = error == null ? JsonTree.texts(ok.get("content")) : String.valueOf(error);
        told(id, new ToolResponse(text, failed ? 1 : 0, false), failed, out);
    }

    private void told(String id, ToolResponse response, boolean failed, CallCollector out) {
        waiting.remove(id);
        if (out.isOpen(id)) {
            out.result(id, response, failed);
        }
    }

    private void flush(CallCollector out) {
        waiting.forEach((id, text) -> {
            if (out.isOpen(id)) {
                out.result(id, CallCollector.response(text), false);
            }
        });
        waiting.clear();
    }

    @Override
    void end(CallCollector out) {
        flush(out);
    }
}
