package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar, in separate processes. */
@Timeout(120)
class BuiltJarIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    /** A running server with an open input. */
    private static final class Server implements AutoCloseable {
        private final Process process;
        private final Writer in;
        private final BufferedReader out;

        Server(Path store) throws IOException {
            process = new ProcessBuilder(Programs.server(store))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            in = process.outputWriter();
            out = process.inputReader();
            ask(
                    "initialize",
                    Map.of(
                            "protocolVersion",
                            "2025-06-18",
                            "capabilities",
                            Map.of(),
                            "clientInfo",
                            Map.of("name", "test", "version", "1")));
            in.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
        }

        JsonNode ask(String method, Map<String, Object> params) throws IOException {
            in.write(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", params))
                    + "\n");
            in.flush();
            return JSON.readTree(out.readLine()).get("result");
        }

        JsonNode call(String tool, Map<String, Object> arguments) throws IOException {
            return ask("tools/call", Map.of("name", tool, "arguments", arguments))
                    .get("structuredContent");
        }

        @Override
        public void close() throws IOException {
            in.close();
            try {
                assertThat(process.waitFor(30, TimeUnit.SECONDS))
                        .as("ends when its input ends")
                        .isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.exitValue()).isZero();
        }
    }

    @Test
    void server_secondOnSameStore_seesEntry() throws Exception {
        Path store = folder.resolve("store");
        Map<String, Object> failure = Map.of(
                "tool",
                "git",
                "action",
                "push origin feature/x",
                "error",
                "fatal: The current branch feature/x has no upstream branch.",
                "pattern_avoid",
                "git push -u origin HEAD");
        Map<String, Object> again = Map.of(
                "tool",
                "git",
                "action",
                "push origin other",
                "error",
                "fatal: The current branch other has no upstream branch.");
        try (Server first = new Server(store);
                Server second = new Server(store)) {
            assertThat(second.call("recall", again).get("status").asText()).isEqualTo("nothing_relevant");

            String id = first.call("record_failure", failure).get("id").asText();

            assertThat(second.call("recall", again).at("/matches/0/id").asText())
                    .isEqualTo(id);
            assertThat(second.call("search", Map.of("query", "upstream"))
                            .at("/matches/0/id")
                            .asText())
                    .isEqualTo(id);
        }
    }

    @Test
    void hookScript_knownFailure_returnsHookOutput() throws Exception {
        String event = "{\"session_id\":\"%s\",\"hook_event_name\":\"PostToolUseFailure\",\"tool_name\":\"Bash\","
                + "\"tool_input\":{\"command\":\"npm install left-pad\"},\"tool_use_id\":\"toolu_1\","
                + "\"error\":\"Exit code 1\\nnpm ERR! code E404\\nnpm ERR! 404 Not Found - left-pad\"}";
        List<String> script = List.of("sh", "xmem-hook", folder.resolve("store").toString());

        Programs.Result first = Programs.run(folder, script, event.formatted("monday"));
        Programs.Result second = Programs.run(folder, script, event.formatted("tuesday"));

        assertThat(first).isEqualTo(new Programs.Result(0, "", ""));
        assertThat(second.exitCode()).isZero();
        assertThat(JSON.readTree(second.out())
                        .at("/hookSpecificOutput/additionalContext")
                        .asText())
                .contains("seen 1×");
    }

    @Test
    void hookScript_invalidEvent_failsOpen() throws Exception {
        List<String> script = List.of("sh", "xmem-hook", folder.resolve("store").toString());

        Programs.Result result = Programs.run(folder, script, "what?");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).startsWith("xmem: ");
    }
}
