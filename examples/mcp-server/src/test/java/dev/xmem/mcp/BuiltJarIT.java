package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.testing.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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

    /** The command line of a server. */
    static List<String> server(Path store) {
        Path jar = Path.of("target", "xmem-mcp.jar").toAbsolutePath();
        return List.of(Programs.JAVA, "-jar", jar.toString(), "--store", store.toString());
    }

    /** A running server with an open input. */
    private static final class Server implements AutoCloseable {
        private final Process process;
        private final Writer in;
        private final BufferedReader out;

        Server(Path store) throws IOException {
            process = new ProcessBuilder(server(store))
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
    void server_requestThatIsTooLong_isAnsweredWithItsId() throws Exception {
        try (Server server = new Server(folder.resolve("store"))) {
            Map<String, Object> failure =
                    Map.of("tool", "git", "action", "push", "error", "rejected\n".repeat(500_000));
            Map<String, Object> params = Map.of("name", "record_failure", "arguments", failure);
            // The members of a client: its id is the first or the last.
            String first = "{\"jsonrpc\":\"2.0\",\"id\":\"first\",\"method\":\"tools/call\",\"params\":"
                    + JSON.writeValueAsString(params) + "}";
            String last = "{\"method\":\"tools/call\",\"params\":" + JSON.writeValueAsString(params)
                    + ",\"jsonrpc\":\"2.0\",\"id\":77}";
            for (String line : List.of(first, last)) {
                server.in.write(line + "\n");
                server.in.flush();
                JsonNode answer = JSON.readTree(server.out.readLine());

                assertThat(answer.get("id")).isEqualTo(JSON.readTree(line.equals(first) ? "\"first\"" : "77"));
                assertThat(answer.at("/error/code").asInt()).isEqualTo(-32600);
            }
            assertThat(server.call("stats", Map.of()).get("failures").asInt()).isZero();
        }
    }

    @Test
    void server_localeWithoutTheLettersOfTheStore_saysWhatToDo() throws Exception {
        String line = "exec '" + Programs.JAVA + "' -jar target/xmem-mcp.jar --store \"$(printf 'st \\303\\244')\"";
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", line);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.US_ASCII);

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(said).contains("use a UTF-8 locale, such as LC_ALL=C.UTF-8").doesNotContain("\tat ");
    }
}
