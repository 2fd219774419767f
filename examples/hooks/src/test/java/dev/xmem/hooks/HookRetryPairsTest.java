package dev.xmem.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.xmem.agents.RetryPairs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pairs of failures and alleged fixes through the hooks: each event is handled by a program that only has the
 * store.
 */
final class HookRetryPairsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path folder;

    private String hook(Path store, String session, RetryPairs.Step step) throws IOException {
        boolean failed = step.exit() != null && step.exit() != 0;
        ObjectNode event = JSON.createObjectNode()
                .put("session_id", session)
                .put("hook_event_name", failed ? "PostToolUseFailure" : "PostToolUse")
                .put("tool_name", step.tool());
        event.set("tool_input", JSON.readTree(step.arguments()));
        if (failed) {
            event.put("error", "Exit code " + step.exit() + '\n' + step.output());
        } else {
            event.putObject("tool_response")
                    .put("stdout", step.output())
                    .put("stderr", "")
                    .put("interrupted", false);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HookProgram.run(store, List.of(), new ByteArrayInputStream(JSON.writeValueAsBytes(event)), out, System.err);
        JsonNode answer = JSON.readTree(out.toString(StandardCharsets.UTF_8));
        return answer.path("hookSpecificOutput").path("additionalContext").asText();
    }

    private boolean isTold(RetryPairs.Scenario scenario) {
        Path store = folder.resolve(scenario.id());
        try {
            for (RetryPairs.Step step : scenario.steps()) {
                hook(store, "monday", step);
            }
            return scenario.isTold(hook(store, "tuesday", scenario.failure()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The scenarios of commands: an agent reports a failure of its other tools in another way. */
    private static List<RetryPairs.Scenario> scenarios(boolean isFix) {
        return RetryPairs.all().stream()
                .filter(scenario ->
                        scenario.isFix() == isFix && scenario.failure().command() != null)
                .filter(scenario ->
                        scenario.failure().exit() != null && scenario.failure().exit() != 0)
                .toList();
    }

    @Test
    void hooks_falseFixes_tellNone() {
        assertThat(scenarios(false)).hasSizeGreaterThan(20).noneMatch(this::isTold);
    }

    @Test
    void hooks_trueFixes_tellThem() {
        assertThat(scenarios(true)).hasSizeGreaterThan(20).allMatch(this::isTold);
    }

    /** docs/adr/0053-fixes-that-a-call-has.md: what worked for one file says little about another. */
    @Test
    void hooks_retryFromValueToValue_isToldOnlyToACallThatHasTheValue() throws IOException {
        Path store = folder.resolve("values");
        hook(store, "monday", run("python3 a.py", 2));
        hook(store, "monday", run("python3 src/a.py", 0));

        assertThat(hook(store, "tuesday", run("python3 other.py", 2))).doesNotContain("worked:");
        assertThat(hook(store, "wednesday", run("python3 a.py", 2))).contains("worked:", "src/a.py");
    }

    private static RetryPairs.Step run(String line, int exit) {
        String error = "python3: can't open file '" + line.substring(8) + "': [Errno 2] No such file or directory";
        return new RetryPairs.Step(
                "Bash", line, "{\"command\":\"" + line + "\"}", exit, exit == 0 ? "3 rows written" : error);
    }
}
