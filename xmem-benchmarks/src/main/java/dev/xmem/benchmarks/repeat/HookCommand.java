package dev.xmem.benchmarks.repeat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The hooks of a coding agent: each event is a process that gets JSON and answers with JSON. */
final class HookCommand {
    private static final JsonFactory JSON = new JsonFactory();

    private final Path command;
    private final Path store;

    HookCommand(Path command, Path store) {
        this.command = command;
        this.store = store;
    }

    Path store() {
        return store;
    }

    String before(String session, String line) throws IOException, InterruptedException {
        return context(event("PreToolUse", session, line, null));
    }

    String after(String session, String line, Sandbox.Result result) throws IOException, InterruptedException {
        String event = result.reported() == 0 ? "PostToolUse" : "PostToolUseFailure";
        return context(event(event, session, line, result));
    }

    private static String event(String name, String session, String line, Sandbox.@Nullable Result result)
            throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            out.writeStringField("session_id", session);
            out.writeStringField("hook_event_name", name);
            out.writeStringField("tool_name", "Bash");
            out.writeObjectFieldStart("tool_input");
            out.writeStringField("command", line);
            out.writeEndObject();
            if (result != null && result.reported() == 0) {
                out.writeObjectFieldStart("tool_response");
                out.writeStringField("stdout", result.output());
                out.writeStringField("stderr", "");
                out.writeBooleanField("interrupted", false);
                out.writeEndObject();
            } else if (result != null) {
                out.writeStringField("error", "Exit code " + result.reported() + '\n' + result.output());
            }
            out.writeEndObject();
        }
        return text.toString();
    }

    private String context(String event) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", command.toString(), store.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(event.getBytes(StandardCharsets.UTF_8));
        }
        byte[] answer = process.getInputStream().readAllBytes();
        if (process.waitFor() != 0) {
            throw new IOException("the hook ended with exit code " + process.exitValue());
        }
        try (JsonParser parser = JSON.createParser(answer)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals("additionalContext")) {
                    return '\n' + parser.nextTextValue();
                }
            }
        }
        return "";
    }
}
