package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.testing.Programs;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The script and the packaged jar, in separate processes. */
@Timeout(120)
class BuiltJarIT extends HookScriptCase {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SCRIPT = "../mcp-server/xmem-hook";

    @Test
    void hookScript_knownFailure_returnsHookOutput() throws Exception {
        String event = "{\"session_id\":\"%s\",\"hook_event_name\":\"PostToolUseFailure\",\"tool_name\":\"Bash\","
                + "\"tool_input\":{\"command\":\"npm install left-pad\"},\"tool_use_id\":\"toolu_1\","
                + "\"error\":\"Exit code 1\\nnpm ERR! code E404\\nnpm ERR! 404 Not Found - left-pad\"}";
        List<String> script = List.of("sh", SCRIPT, folder.resolve("store").toString());

        Programs.Result first = Programs.run(folder, script, event.formatted("monday"));
        HookScript.recordFix(folder.resolve("store"));
        Programs.Result second = Programs.run(folder, script, event.formatted("tuesday"));

        assertThat(first).isEqualTo(new Programs.Result(0, "", ""));
        assertThat(second.exitCode()).isZero();
        assertThat(JSON.readTree(second.out())
                        .at("/hookSpecificOutput/additionalContext")
                        .asText())
                .contains("seen 1×");
    }

    /** Agents start hooks with the variables of the desktop, of a service, or with none. */
    @Test
    void hookScript_noLocaleAndAStoreWithOtherLetters_records() throws Exception {
        String event = "{\"session_id\":\"monday\",\"hook_event_name\":\"PostToolUseFailure\",\"tool_name\":\"Bash\","
                + "\"tool_input\":{\"command\":\"npm install left-pad\"},\"tool_use_id\":\"toolu_1\","
                + "\"error\":\"Exit code 1\\nnpm ERR! code E404\"}";
        // The letter is made by the shell, since the JVM of the test may have no such locale either.
        String line =
                "store=\"$1/st $(printf '\\303\\244')\" && env -i PATH=\"$PATH\" HOME=\"$1\" XMEM_RESIDENT=off sh "
                        + SCRIPT + " \"$store\" && cat \"$store/data/failures.jsonl\"";

        Programs.Result result = Programs.run(folder, List.of("sh", "-c", line, "sh", folder.toString()), event);

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("\"npm-install-");
    }

    @Test
    void hookScript_invalidEvent_failsOpen() throws Exception {
        List<String> script = List.of("sh", SCRIPT, folder.resolve("store").toString());

        Programs.Result result = Programs.run(folder, script, "what?");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("xmem: ");
    }

    @Test
    void hookScript_dialectWithExitCode_passesIt() throws Exception {
        List<String> script = List.of("sh", SCRIPT, folder.resolve("a store").toString(), "--agent", "copilot");
        String call =
                "\"timestamp\":1,\"cwd\":\"/\",\"toolName\":\"bash\",\"toolArgs\":{\"command\":\"npm install left-pad\"}";
        String failure = "{\"sessionId\":\"%s\"," + call + ",\"error\":\"npm ERR! code E404\"}";

        Programs.Result first = Programs.run(folder, script, failure.formatted("monday"));
        HookScript.recordFix(folder.resolve("a store"));
        Programs.Result second = Programs.run(folder, script, failure.formatted("tuesday"));
        Programs.Result before = Programs.run(folder, script, "{\"sessionId\":\"wednesday\"," + call + "}");

        assertThat(first).isEqualTo(new Programs.Result(0, "", ""));
        assertThat(second.exitCode()).isEqualTo(2);
        assertThat(second.out()).startsWith("[xmem ").contains("seen 1×");
        assertThat(before.exitCode()).isZero();
    }

    @Test
    void hookScript_withoutJavaOrJarOrDirectory_failsOpen() throws Exception {
        String store = folder.resolve("store").toString();
        List<String> withoutJava = List.of("env", "PATH=/nowhere", "/bin/sh", SCRIPT, store, "--agent", "copilot");
        List<String> withoutJar = List.of("env", "XMEM_JAR=/nowhere.jar", "sh", SCRIPT, store);

        for (List<String> command : List.of(withoutJava, withoutJar, List.of("sh", SCRIPT))) {
            Programs.Result result = Programs.run(folder, command, "{}");

            assertThat(result.exitCode()).as(command.toString()).isZero();
            assertThat(result.out()).isEmpty();
        }
    }
}
