package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shows the plugin folder, the installed settings and the lines of the README to the agents themselves, from npm, with
 * a home of the test. Uses what is in the npm cache; {@code -Dxmem.npm.fetch} allows downloads.
 */
class AgentProgramsIT {
    private static final String CLAUDE = "@anthropic-ai/claude-code@2.1.330";
    private static final String CODEX = "@openai/codex@0.169.0";
    private static final String GEMINI = "@google/gemini-cli@0.61.0";
    private static final Path PLUGIN = Path.of("../plugin").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private Path home = Path.of("");
    private Path project = Path.of("");

    @BeforeEach
    void createFolders() throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        project = Files.createDirectories(folder.resolve("project"));
        Files.createDirectories(home.resolve(".codex"));
        Files.createFile(folder.resolve("xmem-mcp.jar"));
    }

    private record Result(int exitCode, String out) {}

    private static String npx() {
        return "npx -y " + (System.getProperty("xmem.npm.fetch") == null ? "--offline " : "");
    }

    private Result shell(String line) throws Exception {
        Path out = Files.createTempFile(folder, "out", "");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", line)
                .directory(project.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        Map<String, String> environment = builder.environment();
        environment.putIfAbsent(
                "npm_config_cache",
                Path.of(System.getProperty("user.home"), ".npm").toString());
        environment.keySet().removeIf(name -> name.matches("(CLAUDE|CODEX|GEMINI|ANTHROPIC|OPENAI|XDG)_.*"));
        environment.put("HOME", home.toString());
        Process process = builder.start();
        if (!process.waitFor(300, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("did not end: " + line);
        }
        return new Result(process.exitValue(), Files.readString(out));
    }

    private void assumeAgent(String name) throws Exception {
        Result version = shell(npx() + name + " --version");
        assumeTrue(version.exitCode == 0, name + " cannot be run, fetch it with -Dxmem.npm.fetch: " + version.out);
    }

    private void install(String agent, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "install",
                agent,
                "--mcp",
                "--mcp-jar",
                folder.resolve("xmem-mcp.jar").toString()));
        arguments.addAll(List.of(more));
        Environment environment = new Environment(Map.of("HOME", home.toString()), home, project, false);
        Xmem installed = Xmem.in(environment, "", arguments.toArray(String[]::new));
        assertThat(installed.code()).as(installed.err()).isZero();
    }

    /** Runs the line of the README that registers the server. */
    private Result readmeLine(String agent, String name) throws Exception {
        String start = agent + " mcp add ";
        List<String> lines = Files.readAllLines(Path.of("../hooks/README.md"));
        String line =
                lines.stream().filter(l -> l.startsWith(start)).findFirst().orElseThrow();
        return shell(npx() + name + line.substring(agent.length()));
    }

    @Test
    void claude_acceptsPluginServerAndLine() throws Exception {
        assumeAgent(CLAUDE);

        Result validated = shell(npx() + CLAUDE + " plugin validate " + PLUGIN);
        assertThat(validated.exitCode).as(validated.out).isZero();
        assertThat(validated.out).contains("Validation passed", "PostToolUseFailure", "xmem:xmem");
        install("claude", "--project");
        assertThat(shell(npx() + CLAUDE + " mcp get xmem").out).contains("Command: java");
        Result added = readmeLine("claude", CLAUDE);
        assertThat(added.exitCode).as(added.out).isZero();
        assertThat(home.resolve(".claude.json")).content().contains("xmem-mcp.jar");
    }

    @Test
    void codex_acceptsServerAndLine() throws Exception {
        assumeAgent(CODEX);

        install("codex");
        assertThat(shell(npx() + CODEX + " mcp list").out).containsPattern("(?m)^xmem +java +-jar .* enabled");
        Files.delete(home.resolve(".codex/config.toml"));
        Result added = readmeLine("codex", CODEX);
        assertThat(added.exitCode).as(added.out).isZero();
        assertThat(home.resolve(".codex/config.toml")).content().contains("[mcp_servers.xmem]");
    }

    @Test
    void gemini_acceptsExtensionServerAndLine() throws Exception {
        assumeAgent(GEMINI);

        Result validated = shell(npx() + GEMINI + " extensions validate " + PLUGIN + "/gemini");
        assertThat(validated.exitCode).as(validated.out).isZero();
        assertThat(validated.out).contains("successfully validated");
        install("gemini", "--project");
        assertThat(shell(npx() + GEMINI + " mcp list").out).contains("xmem: java -jar");
        Result added = readmeLine("gemini", GEMINI);
        assertThat(added.exitCode).as(added.out).isZero();
        assertThat(home.resolve(".gemini/settings.json")).content().contains("xmem-mcp.jar");
    }
}
