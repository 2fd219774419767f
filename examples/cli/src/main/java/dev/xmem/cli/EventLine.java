package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One event of the input: a tool call and its result. Keeps the line's text so that {@link #with} changes nothing but
 * two fields.
 */
final class EventLine {
    private final String line;
    private final List<Span> replaced = new ArrayList<>();
    private int end;
    private @Nullable String type;
    private @Nullable String tool;
    private @Nullable String action;
    private @Nullable String error;
    private @Nullable Integer exitCode;
    private @Nullable String session;
    private @Nullable String patternName;
    private @Nullable String signature;
    private List<String> keySteps = List.of();

    private EventLine(String line) {
        this.line = line;
    }

    /** The position of a value that {@link #with} replaces. */
    private record Span(String name, int from, int to) {}

    static EventLine of(String line) throws LineException {
        EventLine event = new EventLine(line);
        event.end = JsonText.read(line, event::read);
        if (event.tool == null || event.tool.isBlank()) {
            throw new LineException("tool is missing: a string such as \"npm\"");
        }
        if ("tool_success".equals(event.type) && event.patternName == null) {
            throw new LineException("pattern_name is missing: a success needs one");
        }
        return event;
    }

    private void read(String name, JsonParser p) throws IOException, LineException {
        switch (name) {
            case "type" -> type = string(name, p);
            case "tool" -> tool = string(name, p);
            case "action" -> action = p.currentToken().isStructStart() ? raw(p) : string(name, p);
            case "error" -> error = string(name, p);
            case "exit_code" -> exitCode = integer(name, p);
            case "session_id" -> session = string(name, p);
            case "pattern_name" -> patternName = string(name, p);
            case "signature" -> signature = string(name, p);
            case "key_steps" -> keySteps = strings(name, p);
            case "ctx_hash", "subject" -> replaced.add(new Span(name, JsonText.start(p), JsonText.end(p)));
            default -> {} // kept unchanged in the output
        }
    }

    private static @Nullable String string(String name, JsonParser p) throws IOException, LineException {
        if (p.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (!p.currentToken().isScalarValue()) {
            throw new LineException(name + " must be a string");
        }
        return p.getText(); // a number becomes its text, as in record
    }

    private static @Nullable Integer integer(String name, JsonParser p) throws IOException, LineException {
        if (p.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (p.currentToken() != JsonToken.VALUE_NUMBER_INT || p.getNumberType() != JsonParser.NumberType.INT) {
            throw new LineException(name + " must be a whole number");
        }
        return p.getIntValue();
    }

    private static List<String> strings(String name, JsonParser p) throws IOException, LineException {
        List<String> all = new ArrayList<>();
        if (p.currentToken() == JsonToken.VALUE_NULL) {
            return all;
        }
        if (p.currentToken() != JsonToken.START_ARRAY) {
            throw new LineException(name + " must be a list of strings");
        }
        while (p.nextToken() != JsonToken.END_ARRAY) {
            String item = string(name, p);
            all.add(item == null ? "" : item);
        }
        return all;
    }

    /** The raw JSON of a value: a tool's arguments, given as an object or an array. */
    private String raw(JsonParser p) throws IOException {
        int from = JsonText.start(p);
        return line.substring(from, JsonText.end(p));
    }

    String tool() {
        return tool == null ? "" : tool;
    }

    String action() {
        return action == null ? "" : action;
    }

    @Nullable String error() {
        return error;
    }

    @Nullable Integer exitCode() {
        return exitCode;
    }

    @Nullable String session() {
        return session;
    }

    HashInput hashInput() {
        HashInput input = HashInput.of(tool(), action()).keySteps(keySteps);
        input = patternName == null ? input : input.patternName(patternName);
        input = signature == null ? input : input.signature(signature);
        return input.error(error == null ? "" : error, exitCode);
    }

    /** Returns the line with these two fields set and every other character unchanged. */
    String with(String ctxHash, String subject) {
        StringBuilder out = new StringBuilder(line.length() + ctxHash.length() + subject.length() + 32);
        int at = 0;
        for (Span span : replaced) {
            out.append(line, at, span.from).append(JsonText.quoted(span.name.equals("subject") ? subject : ctxHash));
            at = span.to;
        }
        out.append(line, at, end);
        add(out, "ctx_hash", ctxHash);
        add(out, "subject", subject);
        return out.append('}').toString();
    }

    private void add(StringBuilder out, String name, String value) {
        if (replaced.stream().noneMatch(span -> span.name.equals(name))) {
            out.append(",\"").append(name).append("\":").append(JsonText.quoted(value));
        }
    }
}
