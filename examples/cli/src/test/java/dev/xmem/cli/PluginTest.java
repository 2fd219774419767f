package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin folder: its JSON, the files that it names, and its commands; and its OpenCode plugin in Node.js. */
class PluginTest {
    private static final Path PLUGIN = Path.of("../plugin").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private static List<Path> json() throws IOException {
        try (Stream<Path> files = Files.walk(PLUGIN)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    /** All strings of a JSON file. */
    private static List<String> strings(Path file, String name) throws IOException {
        List<String> strings = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(file.toFile())) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING
                        && (name.isEmpty() || name.equals(parser.currentName()))) {
                    strings.add(parser.getText());
                }
            }
        }
        return strings;
    }

    /** Writes a stand-in for xmem-hook that repeats its arguments and its input. */
    private Path hook(String more) throws IOException {
        Path hook = Files.createDirectories(folder.resolve("it's a home")).resolve("xmem-hook");
        Files.writeString(hook, "#!/bin/sh\n" + more + "\nprintf '%s\\n' \"$@\"\ncat\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        return hook;
    }

    private String run(Map<String, String> environment, String input, String... command) throws Exception {
        Path out = folder.resolve("out");
        Path in = Files.writeString(folder.resolve("in"), input);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() + "\n" + Files.readString(out);
    }

    @Test
    void files_thatAreNamed_exist() throws Exception {
        Pattern root = Pattern.compile("\\$\\{(CLAUDE_PLUGIN_ROOT|extensionPath)}(/[^\" ]*)");
        int named = 0;
        for (Path file : json()) {
            for (String text : strings(file, "")) {
                Matcher matcher = root.matcher(text);
                while (matcher.find()) {
                    Path base = matcher.group(1).equals("extensionPath") ? PLUGIN.resolve("gemini") : PLUGIN;
                    assertThat(Path.of(base + matcher.group(2)))
                            .as(file.toString())
                            .isExecutable();
                    named++;
                }
            }
        }
        assertThat(named).isEqualTo(13);
        assertThat(json()).hasSize(8);
        assertThat(Files.readString(PLUGIN.resolve("skills/xmem/SKILL.md")))
                .containsPattern("\\A---\nname: xmem\ndescription: .{50,1024}\n---\n");
    }

    @Test
    void commands_ofTheHooks_runTheHook() throws Exception {
        Path home = hook("").getParent();
        for (String name : List.of("hooks/hooks.json", "hooks/codex.json", "gemini/hooks/hooks.json")) {
            for (String command : strings(PLUGIN.resolve(name), "command")) {
                Map<String, String> environment = Map.of(
                        "CLAUDE_PLUGIN_ROOT", PLUGIN.toString(),
                        "extensionPath", PLUGIN.resolve("gemini").toString(),
                        "XMEM_HOME", home.toString(),
                        "XMEM_STORE", "a store");
                String agent = name.contains("gemini") ? "gemini" : name.contains("codex") ? "codex" : "";
                String option = agent.isEmpty() ? "" : "--agent\n" + agent + "\n";

                assertThat(run(environment, "{}", "sh", "-c", command)).isEqualTo("0\na store\n" + option + "{}");
            }
        }
    }

    @Test
    void hook_inAWorktree_hasTheStoreOfTheRepository() throws Exception {
        Path home = hook("").getParent();
        Path main = Files.createDirectories(folder.resolve("main"));
        Path other = folder.resolve("other tree");
        String git = "git -C '" + main + "' -c user.name=x -c user.email=x@x.example ";
        String made = run(
                Map.of(),
                "",
                "sh",
                "-c",
                git + "init -q && " + git + "commit -q --allow-empty -m x && " + git + "worktree add -q '" + other
                        + "'");
        assumeTrue(made.startsWith("0\n"), "there is no git: " + Files.readString(folder.resolve("err")));
        Map<String, String> environment = Map.of("XMEM_HOME", home.toString(), "CLAUDE_PROJECT_DIR", other.toString());

        assertThat(run(environment, "{}", PLUGIN + "/scripts/hook"))
                .isEqualTo("0\n" + main.toRealPath() + "/.xmem-store\n{}");
    }

    @Test
    void hook_withoutXmem_isSilent() throws Exception {
        Map<String, String> environment = Map.of("XMEM_HOME", folder.toString());

        assertThat(run(environment, "{}", PLUGIN + "/scripts/hook")).isEqualTo("0\n");
        assertThat(Files.readString(folder.resolve("err"))).contains("XMEM_HOME");
        assertThat(run(environment, "", PLUGIN + "/scripts/server")).isEqualTo("1\n");
        assertThat(Files.readString(folder.resolve("err"))).contains("XMEM_HOME");
    }

    /** The plugin has no annotations of types, so Node.js can run what xmem installs. */
    @Test
    void opencode_pluginAfterACall_appendsTheAnswer() throws Exception {
        try {
            assumeTrue(run(Map.of(), "", "node", "--version").startsWith("0\n"), "there is no Node.js");
        } catch (IOException e) {
            assumeTrue(false, "there is no Node.js: " + e.getMessage());
        }
        Path hook = hook("");
        Environment environment = new Environment(Map.of(), folder, folder, false);
        Xmem installed = Xmem.in(
                environment, "", "install", "opencode", "--project", "--hook", hook.toString(), "--store", "sto're");
        assertThat(installed.code()).as(installed.err()).isZero();
        Path module = folder.resolve("plugin.mjs");
        Files.copy(folder.resolve(".opencode/plugins/xmem.ts"), module);
        Files.writeString(folder.resolve("use.mjs"), """
                import { Xmem } from "./plugin.mjs"
                const result = { title: "t", output: "before", metadata: { exit: 3 } }
                const after = (await Xmem({}))["tool.execute.after"]
                await after({ tool: "bash", sessionID: "s", callID: "c", args: { command: "make" } }, result)
                await after({ tool: "bash", sessionID: "s" }, undefined)
                console.log(JSON.stringify(result))
                """);

        String used = run(Map.of(), "", "node", folder.resolve("use.mjs").toString());

        String store = folder.resolve("sto're").toString();
        assertThat(used)
                .startsWith("0\n{\"title\":\"t\",\"output\":\"before\\n\\n" + store + "\\n--agent\\nopencode\\n{")
                .contains("\\\"tool_input\\\":{\\\"command\\\":\\\"make\\\"}", "\\\"exit_code\\\":3");
        Files.delete(hook);
        assertThat(run(Map.of(), "", "node", folder.resolve("use.mjs").toString()))
                .contains("\"output\":\"before\"");
    }
}
