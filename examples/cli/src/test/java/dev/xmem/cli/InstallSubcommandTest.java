package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code xmem install} in a home and a project of the test. */
class InstallSubcommandTest {
    /** Settings of a user with comments, tabs, an entry in each place, and no line end. */
    private static final String FILLED = """
            {
            \t// my own
            \t"theme": "dark",
            \t"version": 1,
            \t"hooks": {
            \t\t"PreToolUse": [ ],
            \t\t"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "prettier"}]}],
            \t\t"postToolUse": [{"command": "date"}],
            \t\t"AfterTool": []
            \t},
            \t"mcpServers": {"mine": {"command": "x"}}
            }""";

    @TempDir
    Path folder;

    private Path home = Path.of("");
    private Path project = Path.of("");
    private Path hook = Path.of("");

    @BeforeEach
    void createHomeAndScript() throws IOException {
        home = Files.createDirectories(folder.resolve("home of o'neill"));
        project = Files.createDirectories(folder.resolve("project"));
        Path programs = Files.createDirectories(folder.resolve("my \"own\" pro'grams $HOME"));
        hook = programs.resolve("xmem-hook");
        Files.writeString(hook, "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$OUT\"\ncat >>\"$OUT\"\nexit ${CODE:-0}\n");
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(programs.resolve("xmem-mcp.jar"), "");
    }

    private Xmem xmem(String... arguments) {
        Environment environment = new Environment(Map.of("HOME", home.toString()), home, project, false);
        List<String> all = new ArrayList<>(List.of("install"));
        all.addAll(List.of(arguments));
        all.addAll(List.of(
                "--hook",
                hook.toString(),
                "--mcp-jar",
                hook.resolveSibling("xmem-mcp.jar").toString()));
        return Xmem.in(environment, "", all.toArray(String[]::new));
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> walk = Stream.concat(Files.walk(home), Files.walk(project))) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    /** The strings of the members with this name, in a JSON text with comments. */
    private static List<String> strings(String json, String name) throws IOException {
        List<String> strings = new ArrayList<>();
        try (JsonParser parser =
                new JsonFactory().enable(JsonParser.Feature.ALLOW_COMMENTS).createParser(json)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING && name.equals(parser.currentName())) {
                    strings.add(parser.getText());
                }
            }
        }
        return strings;
    }

    /** Runs a command as an agent does, with an event on standard input; returns its exit code and what it received. */
    private String execute(String command, String code) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        Files.deleteIfExists(out);
        Path in = Files.writeString(folder.resolve("in"), "{\"an\": \"event\"}");
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .redirectInput(in.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(Map.of("OUT", out.toString(), "CODE", code));
        Process process = builder.start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue() + "\n" + (Files.exists(out) ? Files.readString(out) : "");
    }

    @ParameterizedTest
    @CsvSource({
        "claude,--project,project/.claude/settings.json,6",
        "claude,--user,home of o'neill/.claude/settings.json,6",
        "codex,--project,project/.codex/hooks.json,4",
        "codex,--user,home of o'neill/.codex/hooks.json,4",
        "gemini,--project,project/.gemini/settings.json,2",
        "copilot,--project,project/.github/hooks/xmem.json,2",
        "copilot,--user,home of o'neill/.copilot/hooks/xmem.json,2",
        "vscode,--project,project/.github/hooks/xmem-vscode.json,3",
        "vscode,--user,home of o'neill/.copilot/hooks/xmem-vscode.json,3",
        "cursor,--project,project/.cursor/hooks.json,3",
        "cursor,--user,home of o'neill/.cursor/hooks.json,3",
        "kiro,--project,project/.kiro/hooks/xmem.json,2"
    })
    void filledSettings_installUseUninstall_areTheSameBytes(String agent, String scope, String name, int hooks)
            throws Exception {
        Path file = folder.resolve(name);
        String filled = agent.equals("kiro") ? FILLED.replace("\"hooks\"", "\"other\"") : FILLED;
        Files.createDirectories(file.getParent());
        Files.writeString(file, filled);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Map<String, String> before = files();
        Path store = project.resolve("the 'store'");

        Xmem installed = xmem(agent, scope, "--store", store.toString());

        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(installed.out()).contains("changed " + file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        List<String> commands = new ArrayList<>(strings(Files.readString(file), "command"));
        commands.addAll(strings(Files.readString(file), "bash"));
        commands.removeIf(command -> !command.contains("xmem"));
        assertThat(commands).hasSize(hooks);
        for (String command : commands) {
            List<String> lines = execute(command, "0").lines().toList();
            boolean named = !agent.equals("claude") && !agent.equals("vscode");
            List<String> expected = new ArrayList<>(List.of("0", store.toString()));
            expected.addAll(named ? List.of("--agent", agent) : List.of());
            expected.add("{\"an\": \"event\"}");
            assertThat(lines).isEqualTo(expected);
        }
        assertThat(xmem(agent, scope, "--store", store.toString()).out()).contains("unchanged");

        Xmem uninstalled = xmem(agent, scope, "--uninstall");

        assertThat(uninstalled.code()).as(uninstalled.err()).isZero();
        assertThat(files()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude", "codex", "gemini", "copilot", "vscode", "cursor", "opencode", "kiro"})
    void noSettings_installUninstall_leavesNoFile(String agent) throws Exception {
        List<Path> before = folders();
        Xmem installed = xmem(agent, agent.equals("copilot") ? "--user" : "--project", "--mcp");

        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(installed.out()).contains("created ");
        assertThat(files().values()).allMatch(text -> text.isEmpty() || text.contains("xmem"));
        assertThat(xmem(agent, agent.equals("copilot") ? "--user" : "--project", "--uninstall")
                        .code())
                .isZero();
        assertThat(files()).isEmpty();
        assertThat(folders()).isEqualTo(before);
    }

    private List<Path> folders() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isDirectory).sorted().toList();
        }
    }

    @Test
    void uninstall_foldersOfTheUser_stay() throws Exception {
        Path kiro = Files.createDirectories(home.resolve(".kiro"));
        assertThat(xmem("kiro", "--mcp").code()).isZero();
        Files.writeString(kiro.resolve("settings/own.json"), "{}");

        assertThat(xmem("kiro", "--uninstall").code()).isZero();

        assertThat(kiro.resolve("hooks")).doesNotExist();
        assertThat(kiro.resolve("settings/own.json")).exists();
        Files.delete(kiro.resolve("settings/own.json"));
        assertThat(xmem("kiro").code()).isZero();
        assertThat(xmem("kiro", "--store", "other").code()).isZero();
        assertThat(xmem("kiro", "--uninstall").code()).isZero();
        assertThat(kiro.resolve("hooks")).doesNotExist();
        assertThat(kiro).exists();
    }

    /** Before a call, some agents deny it if the hook fails; after it the exit code is an answer. */
    @Test
    void hookBeforeCall_anyTrouble_hasExitCodeZero() throws Exception {
        for (String agent : List.of("claude", "codex", "vscode", "copilot")) {
            assertThat(xmem(agent, "--project").code()).isZero();
        }
        String all = String.join("", files().values());
        int before = 0;
        for (String file : files().values()) {
            List<String> commands = new ArrayList<>(file.isEmpty() ? List.of() : strings(file, "command"));
            for (String command : commands) {
                boolean first = file.indexOf("PreToolUse") >= 0 && command.equals(commands.get(0));
                before += first ? 1 : 0;
                assertThat(execute(command, "2")).startsWith(first ? "0\n" : "2\n");
                String gone = command.replace("xmem-hook", "xmem-hook-gone");
                assertThat(execute(gone, "0")).startsWith(first ? "0\n" : "127\n");
            }
        }
        assertThat(before).isEqualTo(3);
        assertThat(all).contains("postToolUseFailure").doesNotContain("preToolUse");
    }

    @Test
    void project_inAGitRepository_hasOneStoreForAllItsFolders() throws Exception {
        assertThat(xmem("claude", "--project", "--dry-run").out()).contains(project + "/.xmem-store'");
        Files.createDirectories(folder.resolve(".git"));
        Files.writeString(folder.resolve(".git/HEAD"), "ref: refs/heads/main\n");

        assertThat(xmem("claude", "--project", "--dry-run").out())
                .contains("'" + folder.toRealPath() + "/.xmem-store'");
    }

    @Test
    void dryRun_printsADiffAndWritesNothing() throws Exception {
        Files.createDirectories(project.resolve(".cursor"));
        Files.writeString(project.resolve(".cursor/hooks.json"), FILLED);
        Map<String, String> before = files();

        Xmem diff = xmem("cursor", "--project", "--dry-run");

        assertThat(diff.code()).isZero();
        assertThat(diff.lines()).contains("--- " + project.resolve(".cursor/hooks.json"), " \t\"hooks\": {");
        assertThat(xmem("cursor", "--project", "--dry-run", "--json").out())
                .startsWith("{\"dry_run\":true,\"files\":[{\"path\":\"")
                .contains("\"change\":\"changed\",\"diff\":\"--- ");
        assertThat(diff.out()).containsPattern("(?m)^@@ -\\d+").containsPattern("(?m)^\\+.*xmem-hook");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void codexServer_isATableAtTheEndOfTheSettings() throws Exception {
        Path config = home.resolve(".codex/config.toml");
        Files.createDirectories(config.getParent());
        String mine = "model = \"gpt-5\"\r\n[mcp_servers.mine]\r\ncommand = \"x\"";
        Files.writeString(config, mine);

        assertThat(xmem("codex", "--mcp").code()).isZero();
        assertThat(Files.readString(config))
                .startsWith(mine + "\r\n")
                .contains("\r\n[mcp_servers.xmem]\r\ncommand = \"java\"\r\nargs = [\"-jar\", ");
        assertThat(xmem("codex", "--mcp").out()).contains("unchanged " + config);
        assertThat(xmem("codex", "--uninstall").code()).isZero();
        assertThat(Files.readString(config)).isEqualTo(mine);

        for (String own : List.of(
                "[mcp_servers . xmem]\ncommand = \"y\"",
                "[\"mcp_servers\".'xmem'.env]",
                "[mcp_servers]\nxmem = {command = \"y\"}",
                "mcp_servers.xmem.command = \"y\"",
                "mcp_servers = {}",
                "text = \"\"\"\nopen")) {
            Files.writeString(config, own + "\n");
            Xmem refused = xmem("codex", "--mcp");
            assertThat(refused.code()).as(own).isEqualTo(Main.FAILED);
            assertThat(refused.err()).startsWith("xmem: " + config);
            assertThat(config).content().isEqualTo(own + "\n");
        }
        Files.writeString(config, "mcp_servers = { other = { command = \"y\" } }\n");
        assertThat(xmem("codex", "--mcp").err())
                .contains("mcp_servers as an inline table")
                .doesNotContain("already has");
        assertThat(home.resolve(".codex/hooks.json")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "{",
                "{\"hooks\": []}",
                "{\"hooks\": 1}",
                "{\"hooks\": {\"PreToolUse\": {}}}",
                "{\"a\": 1, \"a\": 2}",
                "{} {}",
                "not JSON",
                "{\"hooks\": {\"PostToolUse\": \"x\"}}",
                "{\"x\": \"/my/xmem-hook /my/store\"}"
            })
    void settings_notUnderstood_areRefusedAndUntouched(String text) throws Exception {
        Path file = project.resolve(".claude/settings.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Map<String, String> before = files();

        Xmem refused = xmem("claude", "--project");

        assertThat(refused.code()).isEqualTo(Main.FAILED);
        assertThat(refused.err()).startsWith("xmem: " + file).doesNotContain("internal error");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void settings_thatMustNotBeWritten_areRefused() throws Exception {
        Path file = project.resolve(".claude/settings.json");
        Files.createDirectories(file.getParent());
        Path elsewhere = Files.writeString(folder.resolve("elsewhere.json"), "{}");

        Files.createSymbolicLink(file, elsewhere);
        assertThat(xmem("claude", "--project").err()).contains("symbolic link", elsewhere.toString());
        Files.delete(file);
        Files.createSymbolicLink(file, folder.resolve("missing"));
        assertThat(xmem("claude", "--project").err()).contains("symbolic link");
        Files.delete(file);
        Files.createDirectory(file);
        assertThat(xmem("claude", "--project").err()).contains("is not a file");
        Files.delete(file);
        Files.write(file, new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'});
        assertThat(xmem("claude", "--project").err()).contains("UTF-8");
        Files.writeString(file, "{\"a\":\"" + "x".repeat(5 << 20) + "\"}");
        assertThat(xmem("claude", "--project").err()).contains("bytes");
        Files.writeString(file, "[".repeat(100_000));
        assertThat(xmem("claude", "--project").err()).startsWith("xmem: " + file);
        Files.writeString(file, "{}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertThat(xmem("claude", "--project").err()).contains("read-only");
        assertThat(Files.readString(file)).isEqualTo("{}");
        assertThat(Files.readString(elsewhere)).isEqualTo("{}");
    }

    /** Larger than the buffer of a parser, with characters of several bytes. */
    @Test
    void settings_large_areEditedAtTheRightPlace() throws Exception {
        Path file = project.resolve(".gemini/settings.json");
        Files.createDirectories(file.getParent());
        String large = FILLED.replace("\"dark\"", "[" + "\"é😀\", ".repeat(60_000) + "1]") + "\r\n";
        Files.writeString(file, large);

        assertThat(xmem("gemini", "--project", "--mcp").code()).isZero();
        assertThat(strings(Files.readString(file), "command")).hasSize(6).contains("java", "prettier");
        Files.writeString(file, Files.readString(file).replace("prettier", "gofmt"));
        assertThat(xmem("gemini", "--project", "--uninstall").code()).isZero();
        assertThat(Files.readString(file)).isEqualTo(large.replace("prettier", "gofmt"));
    }

    @Test
    void linkInsideTheScope_isFollowed() throws Exception {
        Path target = Files.createDirectories(home.resolve("dotfiles")).resolve("claude.json");
        Files.writeString(target, FILLED);
        Files.createDirectories(home.resolve(".claude"));
        Path link = Files.createSymbolicLink(home.resolve(".claude/settings.json"), target);

        assertThat(xmem("claude").code()).isZero();
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(target)).contains("xmem-hook");
        assertThat(xmem("claude", "--uninstall").code()).isZero();
        assertThat(Files.readString(target)).isEqualTo(FILLED);
    }

    @Test
    void folders_ofTheEnvironment_areUsed() throws Exception {
        Path codex = folder.resolve("codex home");
        Environment environment =
                new Environment(Map.of("HOME", home.toString(), "CODEX_HOME", codex.toString()), home, project, false);

        Xmem installed = Xmem.in(environment, "", "install", "codex", "--hook", hook.toString());

        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(Files.readString(codex.resolve("hooks.json")))
                .contains(home.resolve(".local/share/xmem").toString().replace("'", "'\\\\''"));
    }

    @Test
    void arguments_wrong_areRefused() throws Exception {
        assertThat(xmem("emacs").err()).contains("emacs", "claude, codex");
        assertThat(xmem("claude", "--user", "--project").code()).isEqualTo(Main.FAILED);
        assertThat(xmem("claude", "--user", "--uninstall").code()).isZero();
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(xmem("claude").err()).contains("not executable");
        hook = folder.resolve("missing/xmem-hook");
        assertThat(xmem("claude").err()).contains("--hook");
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"claude, claude mcp add --scope user xmem -- java", "vscode, xmem install vscode --project --mcp"})
    void server_withoutAFileForIt_installsTheHooksAndSaysWhatToRun(String agent, String line) throws IOException {
        Xmem installed = xmem(agent, "--mcp");

        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(installed.out()).startsWith("created ").contains("the MCP server is not registered", line);
        assertThat(files()).isNotEmpty();
        assertThat(xmem(agent, "--mcp", "--json").out()).contains("\"notes\":[\"the MCP server");
    }

    /** Hosts start a server with few variables, so without the user's locale. */
    @ParameterizedTest
    @CsvSource({
        "codex, .codex/config.toml, 'env = { LC_ALL = \"C.UTF-8\" }'",
        "cursor, .cursor/mcp.json, '\"LC_ALL\"'",
        "opencode, .config/opencode/opencode.json, '\"LC_ALL\"'"
    })
    void server_pathOfOtherLetters_getsALocale(String agent, String file, String line) throws IOException {
        assumeTrue(System.getProperty("sun.jnu.encoding", "UTF-8").equals("UTF-8"), "a UTF-8 locale");
        assertThat(xmem(agent, "--mcp").code()).isZero();
        assertThat(home.resolve(file)).content().doesNotContain("LC_ALL");
        assertThat(xmem(agent, "--mcp", "--uninstall").code()).isZero();
        home = Files.createDirectories(folder.resolve("mein H\u00f6me"));
        assertThat(xmem(agent, "--mcp").code()).isZero();
        assertThat(home.resolve(file)).content().contains(line);
        assertThat(xmem(agent, "--mcp", "--uninstall").code()).isZero();
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude", "copilot", "kiro"})
    void install_again_keepsWhatTheUserEdited(String agent) throws IOException {
        String scope = agent.equals("copilot") ? "--user" : "--project";
        Path file = Path.of(
                xmem(agent, scope).out().lines().findFirst().orElseThrow().substring("created ".length()));
        Files.writeString(file, Files.readString(file).replaceFirst("(\"timeout(?:Sec)?\": ?)10\\b", "$199"));
        String edited = Files.readString(file);

        assertThat(edited).contains("99");
        assertThat(xmem(agent, scope).out()).contains("unchanged " + file);
        assertThat(file).content().isEqualTo(edited);
        Files.writeString(file, edited.replaceFirst("xmem-hook", "other-hook"));
        assertThat(xmem(agent, scope).out()).as("one is missing").contains("changed " + file);
        assertThat(xmem(agent, scope, "--uninstall").code()).isZero();
    }

    @Test
    void project_fromAFolderInIt_isItsTop() throws IOException {
        Files.createDirectories(project.resolve(".git"));
        Path inner = Files.createDirectories(project.resolve("a/b"));
        Environment environment = new Environment(Map.of("HOME", home.toString()), home, inner, false);

        Xmem installed = Xmem.in(environment, "", "install", "claude", "--project", "--hook", hook.toString());

        assertThat(installed.code()).as(installed.err()).isZero();
        assertThat(project.resolve(".claude/settings.json")).exists();
        assertThat(xmem("claude", "--project", "--uninstall").out()).contains("deleted");
        assertThat(files()).isEmpty();
    }
}
