package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.xmem.testing.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Uses the MCP Inspector from npm as the host: each of its commands starts a server on the same store. Uses what is in
 * the npm cache; {@code -Dxmem.npm.fetch} allows downloads.
 */
class InspectorIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String INSPECTOR = "@modelcontextprotocol/inspector@1.0.3";

    @TempDir
    Path folder;

    private Programs.Result inspector(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("npx", "-y"));
        if (System.getProperty("xmem.npm.fetch") == null) {
            command.add("--offline");
        }
        command.addAll(List.of(INSPECTOR, "--cli"));
        command.addAll(BuiltJarIT.server(folder.resolve("store")));
        command.addAll(List.of(arguments));
        return Programs.runHere(folder, command, "");
    }

    private JsonNode call(String tool, String... arguments) throws IOException, InterruptedException {
        List<String> more = new ArrayList<>(List.of("--method", "tools/call", "--tool-name", tool));
        for (String argument : arguments) {
            more.addAll(List.of("--tool-arg", argument));
        }
        Programs.Result result = inspector(more.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return JSON.readTree(result.out());
    }

    private void assumeInspector() throws InterruptedException {
        try {
            Programs.Result result = inspector("--method", "tools/list");
            assumeTrue(
                    result.exitCode() == 0 && result.out().contains("record_failure"),
                    INSPECTOR + " cannot be run, fetch it with -Dxmem.npm.fetch: " + result.err());
        } catch (IOException e) {
            assumeTrue(false, "there is no npx: " + e.getMessage());
        }
    }

    @Test
    void inspector_recordsRecallsAndSearches() throws Exception {
        assumeInspector();

        JsonNode recorded = call(
                "record_failure",
                "tool=git",
                "action=push origin feature/x",
                "error=fatal: The current branch feature/x has no upstream branch.",
                "pattern_avoid=git push -u origin HEAD",
                "exit_code=128");
        JsonNode recalled = call(
                "recall",
                "tool=git",
                "action=push origin other",
                "error=fatal: The current branch other has no upstream branch.");
        JsonNode found = call("search", "query=upstream", "limit=5");
        JsonNode refused = call("recall", "tool=git");

        JsonNode id = recorded.at("/structuredContent/id");
        assertThat(recalled.at("/content/0/text").asText()).contains("git push -u origin HEAD");
        assertThat(recalled.at("/structuredContent/matches/0/id")).isEqualTo(id);
        assertThat(found.at("/structuredContent/matches/0/id")).isEqualTo(id);
        assertThat(refused.get("isError").asBoolean()).isTrue();
        assertThat(refused.at("/content/0/text").asText()).contains("action is missing");
    }
}
