package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.dialect.HookDialect;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The events of each agent, in files that name its version, the source of the contract and the date of the last
 * comparison. Each event meets a store that knows one failure from two sessions.
 */
class DialectsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FIXTURES = Path.of("src/test/resources/dialects");
    private static final String LESSON = "git push -u origin HEAD";
    private static final String TEXT = "$TEXT";

    @TempDir
    Path folder;

    private static List<JsonNode> fixtures() throws IOException {
        List<JsonNode> fixtures = new ArrayList<>();
        try (Stream<Path> files = Files.list(FIXTURES)) {
            for (Path file : files.sorted().toList()) {
                fixtures.add(JSON.readTree(file.toFile()));
            }
        }
        return fixtures;
    }

    private Path directoryThatKnows() throws IOException {
        Path directory = Files.createTempDirectory(folder, "store");
        try (XMemStore store = XMem.open(directory)) {
            for (String session : List.of("monday", "tuesday")) {
                ToolCall call = ToolCall.shell("git push origin main").session(session);
                String error = "fatal: The current branch main has no upstream branch.";
                store.recordFailure(Failure.of(call, ToolError.exit(128, error)).patternAvoid(LESSON));
            }
        }
        return directory;
    }

    private static XMemStore open(Path directory) {
        return XMem.builder(directory)
                .guardLimit(HookProgram.LIMIT)
                .sharedSessions()
                .open();
    }

    private HookResult handle(JsonNode event, long recorded, List<String> options) throws IOException {
        Path directory = directoryThatKnows();
        HookResult result;
        try (XMemStore store = open(directory)) {
            result = HookService.answer(store, JSON.writeValueAsBytes(event), options);
        }
        try (XMemStore store = open(directory)) {
            assertThat(store.stats().failures() - 2).as("recorded; %s", result).isEqualTo(recorded);
        }
        return result;
    }

    /** Whether the output has the expected form; the text in it is what the store says. */
    private static void assertOutput(HookResult result, JsonNode expected) throws IOException {
        if (expected.isNull()) {
            assertThat(result.out()).isEmpty();
            return;
        }
        JsonNode actual = expected.isTextual() ? JSON.valueToTree(result.out()) : JSON.readTree(result.out());
        List<String> texts = new ArrayList<>();
        assertThat(masked(actual, expected, texts)).isEqualTo(expected);
        assertThat(texts).singleElement().asString().contains(LESSON);
    }

    /** A copy that has the mark wherever the expected output has it; collects the texts that were there. */
    private static JsonNode masked(JsonNode actual, JsonNode expected, List<String> texts) {
        if (expected.isTextual() && expected.asText().equals(TEXT)) {
            texts.add(actual.asText());
            return expected;
        }
        if (!actual.isObject() || !expected.isObject()) {
            return actual;
        }
        var copy = JSON.createObjectNode();
        for (var member : actual.properties()) {
            copy.set(member.getKey(), masked(member.getValue(), expected.path(member.getKey()), texts));
        }
        return copy;
    }

    @TestFactory
    List<DynamicTest> events_ofEachAgent_haveTheirEffect() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (JsonNode fixture : fixtures()) {
            String agent = fixture.get("agent").asText();
            for (JsonNode test : fixture.get("cases")) {
                long recorded = test.get("recorded").asLong();
                tests.add(dynamicTest(agent + ": " + test.get("name").asText(), () -> {
                    HookResult named = handle(test.get("event"), recorded, List.of("--agent", agent));
                    HookResult recognized = handle(test.get("event"), recorded, List.of());

                    for (HookResult result : List.of(named, recognized)) {
                        assertThat(result.exitCode())
                                .as(result.toString())
                                .isEqualTo(test.get("exit").asInt());
                        assertOutput(result, test.get("out"));
                    }
                }));
            }
        }
        return tests;
    }

    /** A model wrote arguments that are not JSON, or the agent cut them; the last one is a command that begins so. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"command\":\"npm inst",
                "npm install left-pad",
                "[1,",
                "{\"command\":\"[ -f x ] && npm test\"}"
            })
    void failure_ofACallWhoseArgumentsAreNotJson_isRecorded(String arguments) throws IOException {
        Path directory = folder.resolve("arguments");
        byte[] event = JSON.writeValueAsBytes(Map.of(
                "sessionId", "s", "timestamp", 1, "toolName", "bash", "toolArgs", arguments, "error", "npm ERR! 404"));
        try (XMemStore store = open(directory)) {
            assertThat(HookService.answer(store, event, List.of("--agent", "copilot"))
                            .err())
                    .isEmpty();
        }
        try (XMemStore store = open(directory)) {
            List<Match> recorded = store.search(Query.literal("404")).matches();
            assertThat(recorded).hasSize(1);
            assertThat(((Failure) recorded.get(0).entry()).action())
                    .contains(arguments.contains("&&") ? "[ -f x ] && npm test" : arguments);
        }
    }

    @Test
    void fixtures_coverEveryAgent_andSayWhenTheyWereVerified() throws IOException {
        TreeSet<String> agents = new TreeSet<>();
        for (JsonNode fixture : fixtures()) {
            agents.add(fixture.get("agent").asText());
            assertThat(fixture.get("version").asText()).isNotBlank();
            assertThat(fixture.get("verified").asText()).matches("\\d{4}-\\d\\d-\\d\\d");
            assertThat(fixture.get("source").asText()).isNotBlank();
        }

        assertThat(agents).containsExactlyElementsOf(HookDialect.agents());
    }

    /** Input that is no event has no output; an event with members of other types has the exit code 0. */
    @TestFactory
    Stream<DynamicTest> events_mutilated_neverFail() {
        return HookDialect.agents().stream()
                .map(agent -> dynamicTest(agent, () -> {
                    try (XMemStore store = open(directoryThatKnows())) {
                        for (byte[] event : noEvents(agent)) {
                            HookResult result = HookService.answer(store, event, List.of("--agent", agent));
                            assertThat(result.exitCode()).isZero();
                            assertThat(result.out()).isEmpty();
                            assertThat(result.err()).startsWith("xmem: ").hasLineCount(1);
                        }
                        for (String event : events(agent)) {
                            for (String other : List.of("7", "[]", "{}", "null", "\"\"")) {
                                byte[] changed = event.replaceAll(":\"[^\"]*\"", ":" + other)
                                        .getBytes(StandardCharsets.UTF_8);
                                HookResult result = HookService.answer(store, changed, List.of());
                                assertThat(result.exitCode()).as(event).isZero();
                            }
                        }
                    }
                }));
    }

    private static List<byte[]> noEvents(String agent) throws IOException {
        List<String> texts = new ArrayList<>(List.of("", "null", "[]", "{}", "\"text\"", "{\"a\":1} {\"b\":2}"));
        texts.add("[".repeat(5000));
        texts.add("{\"tool_input\":".repeat(5000) + "1" + "}".repeat(5000));
        for (String event : events(agent)) {
            texts.add(event.substring(0, event.length() / 2));
        }
        List<byte[]> bytes = new ArrayList<>(List.of(new byte[] {(byte) 0xff, '{', 0}));
        texts.forEach(text -> bytes.add(text.getBytes(StandardCharsets.UTF_8)));
        return bytes;
    }

    private static List<String> events(String agent) throws IOException {
        List<String> events = new ArrayList<>();
        for (JsonNode fixture : fixtures()) {
            if (fixture.get("agent").asText().equals(agent)) {
                fixture.get("cases")
                        .forEach(test -> events.add(test.get("event").toString()));
            }
        }
        return events;
    }

    @Test
    void agent_unknownOrOptionWrong_isAReasonAndExitCodeZero() throws IOException {
        try (XMemStore store = open(directoryThatKnows())) {
            byte[] event = "{\"hook_event_name\":\"PreToolUse\"}".getBytes(StandardCharsets.UTF_8);

            for (List<String> options :
                    List.of(List.of("--agent", "emacs"), List.of("--agent"), List.of("--agnet", "claude"))) {
                HookResult result = HookService.answer(store, event, options);

                assertThat(result.exitCode()).isZero();
                assertThat(result.out()).isEmpty();
                assertThat(result.err()).startsWith("xmem: ");
            }
            assertThat(HookService.answer(store, event, List.of("--agent", "emacs"))
                            .err())
                    .contains("emacs", "claude", "kiro");
            assertThat(HookService.answer(store, "{\"x\":1}".getBytes(StandardCharsets.UTF_8), List.of())
                            .err())
                    .contains("--agent");
        }
    }
}
