package dev.xmem.hooks;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.ToolCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A hook event of a coding agent: one JSON object. Keeps every field as text, objects and arrays as their JSON.
 * Immutable.
 */
record HookEvent(Map<String, String> fields) {
    private static final JsonFactory JSON = new JsonFactory();

    HookEvent {
        fields = Map.copyOf(fields);
    }

    /** @throws IOException if the input is not a JSON object */
    static HookEvent read(InputStream in) throws IOException {
        try (JsonParser parser = JSON.createParser(in)) {
            return new HookEvent(members(parser));
        }
    }

    private static Map<String, String> members(JsonParser parser) throws IOException {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("the input of a hook must be a JSON object");
        }
        Map<String, String> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
                StringWriter text = new StringWriter();
                try (JsonGenerator copy = JSON.createGenerator(text)) {
                    copy.copyCurrentStructure(parser);
                }
                members.put(name, text.toString());
            } else if (value != JsonToken.VALUE_NULL) {
                members.put(name, parser.getText());
            }
        }
        return members;
    }

    String name() {
        return text("hook_event_name");
    }

    String session() {
        return text("session_id");
    }

    String prompt() {
        return text("prompt");
    }

    boolean isInterrupt() {
        return text("is_interrupt").equals("true");
    }

    /** The tool call; a shell call if the tool takes a command line, such as {@code Bash}. */
    ToolCall call() throws IOException {
        String command = command();
        ToolCall call = command.isBlank() ? ToolCall.json(text("tool_name"), input()) : ToolCall.shell(command);
        return session().isEmpty() ? call : call.session(session());
    }

    private String input() {
        return fields.getOrDefault("tool_input", "{}");
    }

    private String command() throws IOException {
        if (!input().startsWith("{")) {
            return "";
        }
        try (JsonParser parser = JSON.createParser(input())) {
            return members(parser).getOrDefault("command", "");
        }
    }

    /** The error of a failed call. */
    ToolResponse error() throws IOException {
        return ToolResponse.of(text("error"));
    }

    /** The result of a call that the agent reports as a success. */
    ToolResponse response() throws IOException {
        return ToolResponse.of(text("tool_response"));
    }

    /** Whether the output of the call shows how it ended: it is a command, or a tool that is not the agent's own. */
    boolean hasTellingOutput() throws IOException {
        return !command().isBlank() || text("tool_name").startsWith("mcp__");
    }

    private String text(String name) {
        return fields.getOrDefault(name, "");
    }
}
