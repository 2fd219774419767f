package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.testing.Programs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hook events as documented by a coding agent. Each is handled by a new program that only has the store. */
class HooksTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PUSH = """
            {"session_id": "%s", "transcript_path": "/home/me/.claude/projects/x/00893aaf.jsonl", "cwd": "/home/me/x",
             "permission_mode": "default", "hook_event_name": "%s", "tool_name": "Bash",
             "tool_input": {"command": "git push origin %s", "description": "Push the branch", "timeout": 120000},
             "tool_use_id": "toolu_01ABC%s"%s}""";
    private static final String NO_UPSTREAM = "Exit code 128\nfatal: The current branch %s has no upstream branch.";
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final String LESSON = "git push -u origin HEAD";

    @TempDir
    Path folder;

    private Path directory() {
        return folder.resolve("store");
    }

    private String hook(String event) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HookProgram.run(
                directory(),
                List.of(),
                new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)),
                out,
                System.err);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String fails(String session, String branch) throws IOException {
        String error = JSON.writeValueAsString(NO_UPSTREAM.formatted(branch));
        String more = ", \"error\": " + error + ", \"is_interrupt\": false, \"duration_ms\": 4187";
        return PUSH.formatted(session, "PostToolUseFailure", branch, session + CALLS.incrementAndGet(), more);
    }

    private static String prompt(String text) throws IOException {
        return "{\"session_id\": \"s\", \"hook_event_name\": \"UserPromptSubmit\", \"prompt\": "
                + JSON.writeValueAsString(text) + "}";
    }

    @Test
    void failure_withATextOfMoreThan20MillionCharacters_isRecorded() throws IOException {
        String error = NO_UPSTREAM.formatted("topic") + "\nlog line".repeat(2_300_000);
        for (String member : List.of("\"error\": ", "\"tool_response\": {\"exit_code\": 128, \"stdout\": ")) {
            String end = member.endsWith("stdout\": ") ? "}" : "";
            String name = end.isEmpty() ? "PostToolUseFailure" : "PostToolUse";
            String more = ", " + member + JSON.writeValueAsString(error) + end;
            String branch = "topic" + end.length();
            hook(PUSH.formatted(name, name, branch, CALLS.incrementAndGet(), more));
        }

        try (XMemStore store = XMem.open(directory())) {
            assertThat(store.search(Query.all().kind(Entry.Kind.FAILURE)).total())
                    .isEqualTo(2);
        }
    }

    @Test
    void event_tooLong_saysSo() throws IOException {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return ' ';
            }
        };
        HookProgram.run(directory(), List.of(), endless, new ByteArrayOutputStream(), new PrintStream(err));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("xmem: the event is longer than 67108864 bytes\n");
    }

    private void recordFailure(String session) {
        try (XMemStore store = XMem.open(directory())) {
            store.recordFailure(Failure.of(
                            ToolCall.shell("git push origin main").session(session),
                            ToolError.exit(128, "fatal: The current branch main has no upstream branch."))
                    .patternAvoid(LESSON));
        }
    }

    private long failures() {
        try (XMemStore store = XMem.open(directory())) {
            return store.stats().failures();
        }
    }

    /** Two installations, or an agent that reads the settings of another one, report one call twice. */
    @Test
    void failure_reportedTwice_isCountedOnce() throws Exception {
        String first = fails("monday", "topic");
        String second = fails("monday", "topic");
        for (String event : List.of(first, first, second, second)) {
            hook(event);
        }
        String told = hook(second);

        assertThat(told).contains("second time in this session");
        assertThat(hook(second).replaceAll("xmem \\w{8}", "")).isEqualTo(told.replaceAll("xmem \\w{8}", ""));
        assertThat(hook(first.replaceFirst("toolu_01ABC\\w+", "call_1"))).contains("third time in this session");
        assertThat(hook(first.replaceFirst("toolu_01ABC\\w+", "call_1"))).contains("fourth time in this session");
    }

    @Test
    void failure_new_isRecordedWithoutOutput() throws Exception {
        assertThat(hook(fails("monday", "topic"))).isEmpty();

        assertThat(Files.readString(directory().resolve("data/failures.jsonl")))
                .contains("\"tool\":\"git\"")
                .contains("\"ctx_hash\":\"git-push-no-upstream\"")
                .contains("\"session_id\":\"monday\"")
                .contains("\"exit_code\":128");
    }

    @Test
    void failure_known_returnsAdvice() throws Exception {
        recordFailure("sunday");

        JsonNode answer = JSON.readTree(hook(fails("monday", "topic")));

        JsonNode output = answer.get("hookSpecificOutput");
        assertThat(output.get("hookEventName").asText()).isEqualTo("PostToolUseFailure");
        assertThat(output.get("additionalContext").asText())
                .startsWith("[xmem ")
                .contains(LESSON);
        assertThat(failures()).isEqualTo(2);
    }

    @Test
    void failure_repeatedInSession_isRecordedOnce() throws Exception {
        hook(fails("monday", "topic"));
        hook(fails("monday", "topic"));
        hook(fails("tuesday", "topic"));

        assertThat(failures()).isEqualTo(2);
    }

    @Test
    void call_succeedsAfterSimilarFailure_isRecordedAsAnswer() throws Exception {
        String works = PUSH.formatted(
                        "%s", "PostToolUse", "topic", "2", ", \"tool_response\": {\"stdout\": \"\", \"stderr\": \"\"}")
                .replace("git push origin topic", "git push -u origin topic");
        hook(fails("monday", "topic"));

        assertThat(hook(works.formatted("monday"))).isEmpty();
        hook(works.formatted("monday"));
        hook(works.formatted("tuesday"));

        assertThat(Files.readAllLines(directory().resolve("data/successes.jsonl")))
                .singleElement()
                .asString()
                .contains("\"pattern_name\":\"add -u\"")
                .contains("\"session_id\":\"monday\"")
                .contains("\"answers\":[\"");
        JsonNode next = JSON.readTree(hook(fails("wednesday", "other")));
        assertThat(next.at("/hookSpecificOutput/additionalContext").asText()).contains("git push -u origin topic");
    }

    @Test
    void failure_interrupted_isIgnored() throws Exception {
        hook(fails("monday", "topic").replace("\"is_interrupt\": false", "\"is_interrupt\": true"));

        assertThat(failures()).isZero();
    }

    @Test
    void failure_toolWithArguments_isRecordedForThatTool() throws Exception {
        hook("""
                {"session_id": "s", "hook_event_name": "PostToolUseFailure", "tool_name": "mcp__jira__create_issue",
                 "tool_input": {"project": "X", "fields": {"type": "Bug"}}, "tool_use_id": "t",
                 "error": "Error: field 'priority' is required"}""");

        assertThat(Files.readString(directory().resolve("data/failures.jsonl")))
                .contains("\"tool\":\"mcp__jira__create_issue\"")
                .contains("field 'priority' is required");
    }

    @Test
    void call_failedInTwoSessions_isWarned() throws Exception {
        recordFailure("saturday");
        recordFailure("sunday");

        JsonNode output = JSON.readTree(hook(PUSH.formatted("monday", "PreToolUse", "topic", "1", "")))
                .get("hookSpecificOutput");

        assertThat(output.get("hookEventName").asText()).isEqualTo("PreToolUse");
        assertThat(output.get("additionalContext").asText()).contains(LESSON);
        assertThat(output.has("permissionDecision")).as("it blocks nothing").isFalse();
    }

    @Test
    void call_unknown_hasNoOutput() {
        assertThat(hook(PUSH.formatted("monday", "PreToolUse", "topic", "1", "")))
                .isEmpty();
    }

    @Test
    void prompt_matchingRules_areAdded() throws Exception {
        try (XMemStore store = XMem.open(directory())) {
            store.remember(Directive.parse("never push to main"));
        }

        JsonNode output = JSON.readTree(hook(prompt("push it"))).get("hookSpecificOutput");

        assertThat(output.get("hookEventName").asText()).isEqualTo("UserPromptSubmit");
        assertThat(output.get("additionalContext").asText()).contains("Never push to main");
    }

    @Test
    void prompt_slashCommand_isAnsweredWithoutModel() throws Exception {
        recordFailure("sunday");

        JsonNode answer = JSON.readTree(hook(prompt("/xmem:search upstream")));

        assertThat(answer.get("decision").asText()).isEqualTo("block");
        assertThat(answer.get("reason").asText()).contains(LESSON);
    }

    private static String bash(String event, String session, String command, String result) throws IOException {
        return "{\"session_id\": \"" + session + "\", \"hook_event_name\": \"" + event + "\", \"tool_name\": \"Bash\","
                + " \"tool_input\": {\"command\": " + JSON.writeValueAsString(command) + "}, " + result + "}";
    }

    private static String succeeds(String session, String command, String response) throws IOException {
        return bash("PostToolUse", session, command, "\"tool_response\": " + response);
    }

    private String told(String event) throws IOException {
        return JSON.readTree(hook(event))
                .at("/hookSpecificOutput/additionalContext")
                .asText();
    }

    @Test
    void failure_thirdTimeUnchanged_isTold() throws Exception {
        hook(fails("monday", "topic"));
        hook(fails("monday", "topic"));

        assertThat(told(fails("monday", "topic"))).contains("third time in this session, unchanged");
    }

    @Test
    void program_storeThatIsNoPathInTheLocale_isRefusedWithAdvice() throws Exception {
        String java = "exec '" + Programs.JAVA + "' -cp '" + System.getProperty("java.class.path") + "' "
                + HookProgram.class.getName() + " --store \"$(printf '/no/\\303\\274ber')\"";
        Programs.Result result = Programs.run(
                folder, List.of("sh", "-c", java), prompt("hello"), Map.of("XMEM_RESIDENT", "off", "LC_ALL", "C"));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("not usable as a path here", "LC_ALL=C.UTF-8")
                .doesNotContain("\tat ");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void script_optionInPlaceOfTheFolder_saysHowItIsCalled() throws Exception {
        Programs.Result result =
                Programs.run(folder, List.of("sh", HookScript.SCRIPT.toString(), "--help"), prompt("hello"), Map.of());

        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).startsWith("usage: xmem-hook DIR");
        assertThat(folder.resolve("--help")).doesNotExist();
    }

    /** Runs the script with a program that stands for java, where there is no bash. */
    private String asJava(String program, String script, Map<String, String> variables) throws Exception {
        Path java = Files.createFile(
                folder.resolve("java"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(java, "#!/bin/sh\n" + program);
        Map<String, String> all = new HashMap<>(variables);
        all.putAll(Map.of("PATH", folder.toString(), "XMEM_RESIDENT", "off"));
        String line = script + "exec /bin/sh '" + HookScript.SCRIPT + "' '" + folder.resolve("store") + "'";
        return Programs.run(folder, List.of("/bin/sh", "-c", line), prompt("hello"), all)
                .out();
    }

    /** Hosts start a hook with few variables, and some systems have no bash. */
    @ParameterizedTest
    @CsvSource({"'', '', ''", "C, de_DE.UTF-8, de_DE.UTF-8", "'', POSIX, en_US.UTF-8", "'', '', C"})
    void script_noLettersButAscii_startsJavaWithAll(String all, String letters, String lang) throws Exception {
        Map<String, String> locale = Map.of("LC_ALL", all, "LC_CTYPE", letters, "LANG", lang);

        assertThat(asJava("printf '%s' \"$LC_ALL\"", "", locale)).isEqualTo("C.UTF-8");
    }

    /** As in a worktree that was removed while the agent runs. */
    @Test
    void script_workingFolderIsGone_startsJavaInAnother() throws Exception {
        String removed = "/bin/mkdir gone && cd gone && /bin/rmdir ../gone && ";

        assertThat(asJava("pwd -P", removed, Map.of())).isEqualTo("/\n");
    }

    @Test
    void failures_inProcessesAtOnce_areAllCountedAndRecordedOnce() throws Exception {
        List<String> program = List.of(
                Programs.JAVA,
                "-cp",
                System.getProperty("java.class.path"),
                HookProgram.class.getName(),
                "--store",
                directory().toString());
        ExecutorService executor = Executors.newFixedThreadPool(4);
        try {
            Callable<Programs.Result> run = () -> Programs.run(folder, program, fails("monday", "topic"));
            for (Future<Programs.Result> process : executor.invokeAll(Collections.nCopies(4, run))) {
                assertThat(process.get().err()).isEmpty();
            }
        } finally {
            executor.shutdown();
        }

        assertThat(told(fails("monday", "topic"))).contains("fifth time in this session, unchanged");
        assertThat(failures()).as("recorded by one of them").isEqualTo(1);
    }

    @Test
    void failure_solvedByAnEdit_saysOnceHowToNoteTheLesson() throws Exception {
        String green = "{\"stdout\": \"BUILD SUCCESSFUL in 3s\", \"stderr\": \"\", \"interrupted\": false}";
        String edit = """
                {"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Edit",
                 "tool_input": {"file_path": "Order.java"}, "tool_response": {"filePath": "Order.java"}}""";
        String failed = "\"error\": \"Exit code 1\\nOrderTest FAILED\"";
        Path program = Files.createFile(
                folder.resolve("xmem"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try {
            System.setProperty("xmem.search.path", "/nowhere");
            hook(bash("PostToolUseFailure", "other", "./gradlew test", failed));
            hook(edit.replace("\"s\"", "\"other\""));
            assertThat(hook(succeeds("other", "./gradlew test", green)))
                    .as("there is no xmem")
                    .isEmpty();
            System.setProperty("xmem.search.path", program.getParent().toString());
            for (String expected : List.of("record success tool=gradlew name='what helped' answers=2", "")) {
                hook(bash("PostToolUseFailure", "s", "./gradlew test", failed));
                hook(edit);
                String solved = hook(succeeds("s", "./gradlew test", green));
                assertThat(solved).contains(expected);
                assertThat(solved.isEmpty()).isEqualTo(expected.isEmpty());
            }
        } finally {
            System.clearProperty("xmem.search.path");
        }
    }

    @Test
    void failure_networkInTwoSessions_isRecordedAndTold() throws Exception {
        String error = "\"error\": \"Exit code 128\\nfatal: unable to access 'https://x/': Connection reset by peer\"";
        assertThat(hook(bash("PostToolUseFailure", "monday", "git fetch", error)))
                .isEmpty();
        assertThat(failures()).isZero();

        assertThat(told(bash("PostToolUseFailure", "tuesday", "git fetch", error)))
                .contains("network failure");
        assertThat(failures()).isEqualTo(1);
    }

    @Test
    void success_outputIsThatOfAFailure_isRecordedAsFailure() throws Exception {
        String fatal = "\"fatal: The current branch topic has no upstream branch.\"";
        hook(fails("monday", "topic"));

        String told = told(succeeds(
                "monday",
                "git push origin topic 2>&1 || true",
                "{\"stdout\": " + fatal + ", \"stderr\": \"\", \"interrupted\": false, \"isImage\": false}"));
        told(succeeds("tuesday", "git push origin topic", fatal));
        told(succeeds(
                "friday", "git push origin topic", "{\"content\": [{\"type\": \"text\", \"text\": " + fatal + "}]}"));

        assertThat(told).contains("second time in this session, unchanged");
        assertThat(failures()).isEqualTo(3);
        assertThat(directory().resolve("data/successes.jsonl")).doesNotExist();
    }

    @Test
    void success_exitCodeInTheResponse_decides() throws Exception {
        hook(
                succeeds(
                        "s",
                        "make",
                        "\"Chunk ID: 1\\nProcess exited with code 2\\nFinal output:\\nmake: *** No rule to make target 'x'.  Stop.\""));
        hook(succeeds("s", "ninja", "{\"exit_code\": 1, \"output\": \"ninja: unknown target 'x'\"}"));

        assertThat(failures()).isEqualTo(2);
    }

    @Test
    void codeInTheMetadata_decides() throws Exception {
        String response = "{\"output\": \"%s\", \"metadata\": {\"exit_code\": %d, \"output\": \"again\"}}";
        hook(succeeds("s", "make", response.formatted("done", 3)));
        hook(succeeds("s", "ninja", JSON.writeValueAsString(response.formatted("done", 3))));
        hook(succeeds("s", "cat log", response.formatted("fatal: this is a log", 0)));

        assertThat(failures()).isEqualTo(2);
        assertThat(Files.readString(directory().resolve("data/failures.jsonl")))
                .contains("\"exit_code\":3")
                .doesNotContain("again", "\"exit_code\":0");
    }

    @Test
    void patchOfCodex_isNoCommandLine() throws Exception {
        hook("""
                {"session_id": "s", "turn_id": "t", "hook_event_name": "PostToolUse", "tool_name": "apply_patch",
                 "tool_input": {"command": "*** Begin Patch\\n*** Update File: a.py\\n@@\\n-foo\\n+bar\\n*** End Patch"},
                 "tool_response": "apply_patch verification failed: Failed to find expected lines in /p/a.py:\\nfoo"}""");

        assertThat(Files.readString(directory().resolve("data/failures.jsonl")))
                .contains("\"tool\":\"apply_patch\"", "\"ctx_hash\":\"apply-patch-");
    }

    @Test
    void success_contentOfAFile_isNoFailure() throws Exception {
        hook("""
                {"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"file_path": "a"},
                 "tool_response": {"type": "create", "filePath": "a", "content": "error: this is a log"}}""");
        hook("""
                {"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": {"file_path": "a"},
                 "tool_response": {"type": "text", "file": {"filePath": "a", "content": "fatal: this is a log"}}}""");

        assertThat(failures()).isZero();
    }

    @Test
    void call_stopped_isNotRecorded() throws Exception {
        hook(succeeds("s", "make", "{\"stdout\": \"error: x\", \"stderr\": \"\", \"interrupted\": true}"));
        hook(bash("PostToolUseFailure", "s", "make", "\"error\": \"Exit code 130\\nerror: x\""));
        hook(bash("PostToolUseFailure", "s", "make", "\"error\": \"Exit code 1\\nerror: x\\n^C\""));
        hook(bash("PostToolUseFailure", "s", "gti status", "\"error\": \"Exit code 127\\ngti: command not found\""));

        assertThat(failures()).isZero();
    }

    @Test
    void prompt_userComplains_isAnsweredWithTheLastFailures() throws Exception {
        recordFailure("sunday");
        hook(fails("s", "topic"));

        assertThat(told(prompt("this error again!"))).contains("git push origin topic", LESSON);
        assertThat(hook(prompt("thanks, please go on"))).isEmpty();
    }

    @Test
    void prompt_slashCommandWithOffer_showsWhatWasOffered() throws Exception {
        recordFailure("sunday");

        JsonNode answer = JSON.readTree(hook(prompt("/xmem:recall tool=git action=\"push origin main\""
                + " error=\"fatal: The current branch main has no upstream branch.\"")));

        assertThat(answer.get("reason").asText()).contains(LESSON).doesNotContain("(yes/no)");
    }

    @Test
    void event_unknownOrNotJson_hasNoOutput() {
        assertThat(hook("{\"hook_event_name\": \"SessionEnd\"}")).isEmpty();
        assertThat(hook("{\"hook_event_name\": \"PostToolUseFailure\"}")).isEmpty();
        assertThat(hook("not JSON")).isEmpty();
        assertThat(hook("[]")).isEmpty();
        assertThat(hook("")).isEmpty();
    }

    @Test
    void store_cannotBeOpened_hasNoOutput() throws Exception {
        Files.createFile(directory());

        assertThat(hook(fails("monday", "topic"))).isEmpty();
    }

    @Test
    void settings_exampleFile_runsProgramAtEachHook() throws Exception {
        JsonNode hooks =
                JSON.readTree(Path.of("../mcp-server/settings.json").toFile()).get("hooks");

        assertThat(hooks.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(
                        "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "SessionEnd");
        assertThat(hooks.at("/PostToolUse/0/hooks/0/async").asBoolean())
                .as("the hook does not wait for the lock")
                .isTrue();
        for (JsonNode event : hooks) {
            JsonNode hook = event.get(0).get("hooks").get(0);
            assertThat(hook.get("type").asText()).isEqualTo("command");
            assertThat(hook.get("command").asText()).contains("xmem-hook");
        }
    }
}
