package dev.xmem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.testing.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The MCP conformance suite from npm, in server mode: each scenario that applies to a memory against the memory, and
 * those that need tools of the suite's names against {@link ConformanceFeatures} on the same transport. Runs only with
 * {@code -Dxmem.npm.fetch}; the suite needs Node 22, which npm has too.
 */
@Timeout(900)
class ConformanceIT {
    private static final String TOKEN = "the-token-of-the-conformance-test";
    private static final String SUITE = "@modelcontextprotocol/conformance@0.1.16";
    private static final List<String> MEMORY = List.of(
            "server-initialize",
            "ping",
            "tools-list",
            "resources-list",
            "prompts-list",
            "server-sse-multiple-streams",
            "dns-rebinding-protection");
    private static final List<String> FEATURES = List.of(
            "completion-complete",
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-error",
            "tools-call-with-progress",
            "json-schema-2020-12",
            "resources-read-text",
            "resources-read-binary",
            "resources-templates-read",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-embedded-resource",
            "prompts-get-with-image");
    /** Log levels, requests to the client, streams that are resumed, subscriptions: what the server does not offer. */
    private static final List<String> NOT_APPLICABLE = List.of(
            "logging-set-level",
            "tools-call-with-logging",
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums",
            "server-sse-polling",
            "resources-subscribe",
            "resources-unsubscribe");

    @TempDir
    Path folder;

    private Programs.Result suite(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("npx", "-y", "-p", "node@22", "-p", SUITE, "--", "conformance"));
        command.addAll(List.of(arguments));
        return Programs.runHere(folder, command, "");
    }

    @Test
    void suite_everyApplicableScenario_passes() throws Exception {
        assumeTrue(System.getProperty("xmem.npm.fetch") != null, "fetch " + SUITE + " with -Dxmem.npm.fetch");

        Set<String> known = new TreeSet<>(MEMORY);
        known.addAll(FEATURES);
        known.addAll(NOT_APPLICABLE);
        assertThat(scenarios()).as("every scenario is in a list").isEqualTo(known);
        try (XMemStore store = XMem.inMemoryBuilder().open()) {
            run(McpEndpoint.of(store), MEMORY);
        }
        run(new McpEndpoint(ConformanceFeatures::in), FEATURES);
    }

    private Set<String> scenarios() throws Exception {
        Matcher names = Pattern.compile("(?m)^ *- (\\S+)")
                .matcher(suite("list", "--server").out());
        Set<String> scenarios = new TreeSet<>();
        while (names.find()) {
            scenarios.add(names.group(1));
        }
        return scenarios;
    }

    private void run(McpEndpoint endpoint, List<String> scenarios) throws Exception {
        try (McpHttpServer server = McpHttpServer.start(endpoint, 0, TOKEN);
                BearerProxy proxy = new BearerProxy(server.port(), TOKEN)) {
            for (String scenario : scenarios) {
                Programs.Result result =
                        suite("server", "--url", "http://localhost:" + proxy.port() + "/mcp", "--scenario", scenario);
                System.out.println("conformance: " + scenario + ": " + summary(result.out()));
                assertThat(result.exitCode())
                        .as(scenario + ": " + result.out() + result.err())
                        .isZero();
            }
        }
    }

    private static String summary(String out) {
        Matcher passed = Pattern.compile("Passed: .*").matcher(out);
        return passed.find() ? passed.group() : out.strip();
    }
}
