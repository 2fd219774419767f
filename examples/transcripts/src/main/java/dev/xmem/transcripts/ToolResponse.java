package dev.xmem.transcripts;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.xmem.ToolError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a tool returned to a coding agent: its output, its exit code and whether it was interrupted. Agents pass a
 * string, or an object with some of the members that are listed here; anything else is kept as JSON.
 *
 * @param exitCode the exit code; null if the response has none
 */
public record ToolResponse(String text, @Nullable Integer exitCode, boolean isInterrupted) {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();
    private static final Set<String> OUTPUT = Set.of(
            "stdout",
            "stderr",
            "output",
            "text",
            "content",
            "llmcontent",
            "message",
            "error",
            "result",
            "textresultforllm",
            "text_result_for_llm");
    private static final Set<String> CODE =
            Set.of("exit_code", "exitcode", "exit_status", "exit", "returncode", "return_code");
    private static final Set<String> FAILED = Set.of("is_error", "iserror", "failed");
    private static final Set<String> TYPE = Set.of("resulttype", "result_type");
    private static final Set<String> FILE = Set.of("filepath", "file_path");
    private static final String METADATA = "metadata";
    private static final Set<String> NESTED = Set.of("content", "llmcontent", "result", "output", "error", METADATA);
    private static final Pattern EXIT_CODE = Pattern.compile("(?i)(?:error:? ?)?(?:command |process )?"
            + "exit(?:ed with)?(?: non-zero)?(?: status)? code:? (-?\\d{1,9})\\b");
    private static final Pattern COPILOT_CODE =
            Pattern.compile("(?m)^<(?:command )?exited with exit code (-?\\d{1,9})>$");
    private static final Pattern GEMINI_CODE = Pattern.compile("(?m)^Exit Code: (-?\\d{1,9})$");
    private static final Pattern GEMINI_FRAME =
            Pattern.compile("^<untrusted_context>\\n|\\n</untrusted_context>$|(?m)^(?:Output: (?:\\(empty\\)$)?"
                    + "|Process Group PGID: .*$|Background PIDs: .*$|(?:Error|Signal): \\(none\\)$)");
    private static final int CODE_LINES = 4;
    private static final int MAX_DEPTH = 4;
    /** How far from its end a text is searched for an exit code. */
    private static final int TAIL = 400;

    public static final ToolResponse NONE = new ToolResponse("", null, false);

    /** The response in a field of an event: a text, or a JSON object or array. */
    public static ToolResponse of(String field) throws IOException {
        String json = field.strip();
        if (!json.startsWith("{") && !json.startsWith("[")) {
            return ofText(field);
        }
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            Reader reader = new Reader();
            reader.value("content", parser, 0);
            if (parser.nextToken() != null || !reader.known || reader.file) {
                return ofText(field);
            }
            ToolResponse text = ofText(String.join("\n", reader.texts));
            Integer code = reader.code == null ? text.exitCode : reader.code;
            return new ToolResponse(
                    text.text, code == null && reader.failed ? Integer.valueOf(1) : code, reader.interrupted);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            return ofText(field);
        }
    }

    /** An output that may begin with its exit code, such as {@code Exit code 128}. */
    private static ToolResponse ofText(String text) {
        int end = 0;
        for (int line = 0; line < CODE_LINES && end >= 0 && end < text.length(); line++) {
            int next = text.indexOf('\n', end);
            Matcher begins = EXIT_CODE.matcher(text).region(end, next < 0 ? text.length() : next);
            if (begins.lookingAt()) {
                String rest = (text.substring(0, end) + text.substring(begins.end())).strip();
                return new ToolResponse(rest, Integer.valueOf(begins.group(1)), false);
            }
            end = next < 0 ? -1 : next + 1;
        }
        return new ToolResponse(text, null, false);
    }

    /** Takes the exit code from the last lines of the text, if the pattern finds one there and none is known. */
    private ToolResponse codeInTail(Pattern code) {
        Matcher found = code.matcher(text);
        found.region(Math.max(0, text.length() - TAIL), text.length());
        if (exitCode != null || !found.find()) {
            return this;
        }
        String rest = text.substring(0, found.start()) + text.substring(found.end());
        return new ToolResponse(rest.strip(), Integer.valueOf(found.group(1)), isInterrupted);
    }

    /** This response of GitHub Copilot, whose text may end with the exit code. */
    public ToolResponse ofCopilot() {
        return codeInTail(COPILOT_CODE);
    }

    /** This response of Gemini CLI, whose text may end with the exit code, and has labels. */
    public ToolResponse ofGemini() {
        return codeInTail(GEMINI_CODE).without(GEMINI_FRAME);
    }

    /** Deletes what the pattern finds. */
    private ToolResponse without(Pattern frame) {
        return new ToolResponse(frame.matcher(text).replaceAll("").strip(), exitCode, isInterrupted);
    }

    /** The response of a call that did not fail by itself: the user stopped or refused it. */
    public ToolResponse interrupted() {
        return new ToolResponse(text, exitCode, true);
    }

    /** The response as an error; the code of a call that the agent reports as a success is 0 unless it has one. */
    public ToolError error(boolean succeeded) {
        Integer code = exitCode == null && succeeded ? Integer.valueOf(0) : exitCode;
        return code == null ? ToolError.text(text) : ToolError.exit(code, text);
    }

    /** Collects the known members of a response. */
    private static final class Reader {
        private final List<String> texts = new ArrayList<>();
        private @Nullable Integer code;
        private boolean failed;
        private boolean interrupted;
        private boolean known;
        /** Whether the reader is in an object that tells of the call, not what it printed. */
        private boolean metadata;
        /** Whether the response shows a file: its content is no output. */
        private boolean file;

        void value(String name, JsonParser parser, int depth) throws IOException {
            JsonToken token = parser.currentToken();
            if (depth > MAX_DEPTH || token == null || token.isStructStart() && !NESTED.contains(name)) {
                parser.skipChildren();
            } else if (token == JsonToken.START_OBJECT) {
                failed |= name.equals("error");
                metadata = name.equals(METADATA);
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String member = parser.currentName().toLowerCase(Locale.ROOT);
                    parser.nextToken();
                    value(member, parser, depth + 1);
                }
                metadata = false;
            } else if (token == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    value(name, parser, depth + 1);
                }
            } else {
                scalar(name, token, parser.getText());
            }
        }

        private void scalar(String name, JsonToken token, String value) {
            file |= FILE.contains(name);
            if (OUTPUT.contains(name) && token == JsonToken.VALUE_STRING && !metadata) {
                known = true;
                texts.add(value);
            } else if (CODE.contains(name) && value.matches("-?\\d{1,9}")) {
                known = true;
                code = Integer.valueOf(value);
            } else if (name.equals("interrupted") || name.equals("is_interrupt")) {
                known = true;
                interrupted |= token == JsonToken.VALUE_TRUE;
            } else if (FAILED.contains(name)) {
                known = true;
                failed |= token == JsonToken.VALUE_TRUE;
            } else if (name.equals("success")) {
                known = true;
                failed |= token == JsonToken.VALUE_FALSE;
            } else if (TYPE.contains(name)) {
                failed |= value.equals("failure");
            }
        }
    }
}
