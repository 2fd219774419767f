package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code xmem why} with events of several agents. */
class WhySubcommandTest {
    private static final String ERROR = "fatal: The current branch main has no upstream branch.";
    private static final String CLAUDE = """
            {"session_id": "s", "hook_event_name": "PostToolUseFailure", "tool_name": "Bash",
             "tool_input": {"command": "cd x && git push origin main"}, "error": "Exit code 128\\n%s"}""".formatted(ERROR);

    @TempDir
    Path folder;

    private Path store = Path.of("");
    private String id = "";

    @BeforeEach
    void record() {
        store = folder.resolve("store");
        try (XMemStore opened = XMem.open(store)) {
            id = opened.recordFailure(Failure.of(ToolCall.shell("git push origin main"), ToolError.exit(128, ERROR))
                            .patternAvoid("git push -u origin HEAD"))
                    .id();
        }
    }

    private Xmem why(String event, String... options) {
        List<String> arguments = new ArrayList<>(List.of("why", "--store", store.toString()));
        arguments.addAll(List.of(options));
        return Xmem.fed(event, arguments.toArray(String[]::new));
    }

    @Test
    void failedCall_isExplainedFromTheDialectToTheAnswer() {
        Xmem run = why(CLAUDE);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("dialect: claude, recognized by hook_event_name")
                .contains("event: PostToolUseFailure: a call failed")
                .contains("working command `git push origin main`")
                .contains("result: failed: exit code 128")
                .contains("family: git-push-")
                .contains("entry: " + id + " is told")
                .contains("answer: told, ", " tokens: ")
                .contains("git push -u origin HEAD");
    }

    @Test
    void asking_changesNoFile() throws IOException {
        why(CLAUDE);
        Map<String, String> before = files();
        why(CLAUDE);
        why(CLAUDE.replace("main", "other").replace("has no upstream", "is behind"));
        why("{\"hook_event_name\": \"UserPromptSubmit\", \"session_id\": \"s\", \"prompt\": \"/xmem:record failure\"}");
        why("{\"hook_event_name\": \"UserPromptSubmit\", \"session_id\": \"s\", \"prompt\": \"this error again\"}");
        why(CLAUDE.replace("PostToolUseFailure", "PostToolUse").replace("\"error\"", "\"tool_response\""));
        why(CLAUDE.replace(ERROR, "connect ETIMEDOUT 10.0.0.1:443"));
        why("", "--last");
        assertThat(files()).isEqualTo(before);
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.toList()) {
                String content = Files.isRegularFile(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "";
                files.put(file.toString(), Files.getLastModifiedTime(file) + content);
            }
        }
        return files;
    }

    @Test
    void otherDialects_areRecognizedByTheirMembers_orNamed() {
        String codex = "{\"hook_event_name\": \"PostToolUse\", \"turn_id\": \"t\", \"session_id\": \"s\","
                + " \"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"git push origin main\"},"
                + " \"tool_response\": \"" + ERROR + "\"}";
        assertThat(why(codex).out())
                .contains("dialect: codex, recognized by ", "turn_id")
                .contains("result: failed: the output reports a failure, by the line `" + ERROR + "`");
        assertThat(why(codex, "--agent", "claude").out()).contains("dialect: claude, as named");
    }

    @Test
    void silence_hasItsReason() {
        assertThat(why(CLAUDE.replace("Exit code 128", "Exit code 130")).out())
                .contains("trivial: ", "answer: nothing: it was stopped (exit code 130)");
        assertThat(why(CLAUDE.replace("\"error\"", "\"is_interrupt\": true, \"error\""))
                        .out())
                .contains("result: interrupted", "answer: nothing");
        assertThat(why(CLAUDE.replace("PostToolUseFailure", "SessionStart")).out())
                .contains("has no effect", "answer: nothing: xmem: no effect of the event");
        assertThat(why(CLAUDE.replace("PostToolUseFailure", "PreToolUse")).out())
                .contains("warning: ", "a warning needs 2", "answer: nothing: no warning is known for this call");
    }

    @Test
    void agentThatShowsNothing_isNamed() {
        String kiro = CLAUDE.replace("PostToolUseFailure", "PostToolUse")
                .replace("\"error\": \"Exit code 128\\n", "\"tool_response\": \"");
        assertThat(why(kiro, "--agent", "kiro").out())
                .contains("answer: nothing: there is advice, but kiro shows the model nothing");
    }

    @Test
    void brokenEvents_areRefused() {
        for (String event : List.of("", "{", "[]", "null", "{\"a\": 1} {}", "{\"a\": \"\u0000\"}")) {
            Xmem run = why(event);
            assertThat(run.code()).as(event).isEqualTo(Main.REFUSED);
            assertThat(run.out()).as(event).startsWith("error: ");
        }
        assertThat(why(CLAUDE, "--agent", "clod").out()).contains("unknown agent \"clod\"");
    }

    @Test
    void last_showsTheNewestTrouble() throws IOException {
        assertThat(why("", "--last").code()).isEqualTo(Main.REFUSED);
        String line =
                "{\"ts\":\"2026-03-01T10:00:0%d.5Z\",\"agent\":\"claude\",\"event\":\"PreToolUse\",\"tool\":\"Bash\","
                        + "\"session\":\"\",\"outcome\":\"%s\",\"tokens\":0,\"recorded\":\"\",\"reason\":\"because\",\"ms\":34,"
                        + "\"by\":\"resident\"}\n";
        Path trace = store.resolve(".xmem/hooks.ndjson");
        Files.writeString(trace, line.formatted(1, "silent") + line.formatted(2, "silent"));
        assertThat(why("", "--last").out()).contains("10:00:02", "silent: because", "34 ms, by resident");
        Files.writeString(trace, line.formatted(1, "unavailable") + line.formatted(2, "silent"));
        assertThat(why("", "--last", "--json").out()).contains("10:00:01", "unavailable: because");
    }
}
