package dev.xmem.agents;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scenarios of a failing call and what came next: {@code retry-pairs.jsonl}, one JSON object a line. The last step of a
 * scenario is a true fix, or a call that only looks like one.
 */
public final class RetryPairs {
    private static final JsonFactory JSON = new JsonFactory();

    private RetryPairs() {}

    /**
     * A scenario.
     *
     * @param isFix whether the last step fixed the failure of the first one
     * @param why why it did, or why it did not
     */
    public record Scenario(String id, boolean isFix, String why, List<Step> steps) {
        /** The first step, which fails. */
        public Step failure() {
            return steps.get(0);
        }

        /** The last step, the alleged fix. */
        public Step retry() {
            return steps.get(steps.size() - 1);
        }

        /** Whether an agent that meets the failure is told that the last step worked. */
        public boolean isTold(String advice) {
            return advice.contains("worked:") && oneLine(advice).contains(oneLine(retry().line()));
        }

        private static String oneLine(String text) {
            return text.replaceAll("\\s+", " ");
        }

        @Override
        public String toString() {
            return id;
        }
    }

    /**
     * A call of an agent and its result.
     *
     * @param tool the name of the tool
     * @param command the shell line that it runs; null if it runs none
     * @param arguments the JSON arguments
     * @param exit the exit code that the agent gets; null if it gets none
     */
    public record Step(
            String tool,
            @Nullable String command,
            String arguments,
            @Nullable Integer exit,
            String output) {
        /** The call as an agent makes it: a name with JSON arguments. */
        public ToolCall call(String session) {
            return ToolCall.json(tool, arguments).session(session);
        }

        /** The call as a program makes it: a shell line, if it has one. */
        public ToolCall shell(String session) {
            return command == null ? call(session) : ToolCall.shell(command).session(session);
        }

        /** The result as the agent gets it. */
        public ToolError result() {
            return exit == null ? ToolError.text(output) : ToolError.exit(exit, output);
        }

        /** Reports the result. A text that reports no failure counts as a success, as a framework says it. */
        public Advice report(ToolGuard guard, ToolCall call) {
            Advice advice = guard.failed(call, result());
            if (exit == null && advice.status() == Advice.Status.TRIVIAL) {
                guard.succeeded(call);
            }
            return advice;
        }

        /** The result as a tool that runs processes returns it: its exit code and its output, as JSON. */
        public String asProcess() {
            return json(out -> {
                if (exit != null) {
                    out.writeNumberField("exit_code", exit);
                }
                out.writeStringField("output", output);
            });
        }

        String line() {
            return command == null ? arguments : command;
        }
    }

    /** All scenarios of {@code retry-pairs.jsonl}. */
    public static List<Scenario> all() {
        String file = "retry-pairs.jsonl";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(RetryPairs.class.getResourceAsStream(file), file), StandardCharsets.UTF_8))) {
            return read(lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The scenarios of a file in the same format. */
    public static List<Scenario> read(BufferedReader lines) throws IOException {
        List<Scenario> all = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isBlank()) {
                try (JsonParser json = JSON.createParser(line)) {
                    json.nextToken();
                    all.add(scenario(json));
                }
            }
        }
        return all;
    }

    private static Scenario scenario(JsonParser json) throws IOException {
        String id = "";
        String kind = "";
        String why = "";
        List<Step> steps = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            switch (name) {
                case "id" -> id = json.getText();
                case "kind" -> kind = json.getText();
                case "why" -> why = json.getText();
                case "steps" -> {
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        steps.add(step(json));
                    }
                }
                default -> json.skipChildren();
            }
        }
        return new Scenario(id, kind.equals("true"), why, List.copyOf(steps));
    }

    private static Step step(JsonParser json) throws IOException {
        String tool = "Bash";
        String command = null;
        String arguments = "{}";
        Integer exit = null;
        String output = "";
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            switch (name) {
                case "tool" -> tool = json.getText();
                case "command" -> command = json.getText();
                case "arguments" -> arguments = copy(json);
                case "exit" -> exit = value == JsonToken.VALUE_NULL ? null : json.getIntValue();
                case "output" -> output = json.getText();
                default -> json.skipChildren();
            }
        }
        String line = command;
        String given = line == null ? arguments : json(out -> out.writeStringField("command", line));
        return new Step(tool, command, given, exit, output);
    }

    private static String copy(JsonParser json) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.copyCurrentStructure(json);
        }
        return text.toString();
    }

    private interface Members {
        void write(JsonGenerator out) throws IOException;
    }

    private static String json(Members members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.writeStartObject();
            members.write(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
