package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.testing.LockHolder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code xmem doctor} on an installation in a home of the test, with one link broken at a time. */
class DoctorSubcommandTest {
    /** Answers as the hook answers to the test event, by the Java that it finds, and keeps the event. */
    private static final String SCRIPT = """
            #!/bin/sh
            java -version >/dev/null 2>&1 || { echo 'xmem-hook: java: not found' >&2; exit 0; }
            /bin/cat >"${0%/*}/event"
            echo 'xmem: no effect of the event "XmemDoctor" of claude' >&2
            """;

    @TempDir
    Path folder;

    private Path home = Path.of("");
    private Path project = Path.of("");
    private Path store = Path.of("");
    private Path hook = Path.of("");
    private Path java = Path.of("");

    @BeforeEach
    void install() throws IOException {
        home = Files.createDirectories(folder.resolve("home of o'neill"));
        project = Files.createDirectories(folder.resolve("project"));
        store = home.resolve("the store");
        hook = executable(folder.resolve("programs").resolve("xmem-hook"), SCRIPT);
        java = executable(
                folder.resolve("bin").resolve("java"), "#!/bin/sh\necho 'openjdk version \"21.0.4\" 2024-07-16' >&2\n");
        jar("dev/xmem/hooks/HookProgram.class");
        try (XMemStore created = XMem.open(store)) {
            created.flush();
        }
        traced("told", "seen 2 times as git-push-no-upstream");
        Xmem installed = xmem("install", "claude", "--hook", hook.toString(), "--store", store.toString());
        assertThat(installed.code()).as(installed.err()).isZero();
    }

    private static Path executable(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void jar(String entry) throws IOException {
        try (OutputStream out = Files.newOutputStream(hook.resolveSibling("xmem-hook.jar"));
                JarOutputStream jar = new JarOutputStream(out)) {
            jar.putNextEntry(new JarEntry(entry));
        }
    }

    private void traced(String outcome, String reason) throws IOException {
        Files.writeString(
                store.resolve(".xmem/hooks.ndjson"),
                "{\"ts\":\"2026-03-01T10:00:00Z\",\"agent\":\"claude\",\"event\":\"PostToolUseFailure\",\"tool\":\"Bash\","
                        + "\"session\":\"\",\"outcome\":\"" + outcome
                        + "\",\"tokens\":9,\"recorded\":\"\",\"reason\":\""
                        + reason + "\",\"ms\":34,\"by\":\"resident\"}\n");
    }

    private Xmem xmem(String... arguments) {
        return with(Map.of(), arguments);
    }

    private Xmem with(Map<String, String> more, String... arguments) {
        Map<String, String> variables = new TreeMap<>(more);
        variables.put("HOME", home.toString());
        variables.put("PATH", java.getParent().toString());
        variables.put("XDG_DATA_HOME", home.resolve("data").toString());
        return Xmem.in(new Environment(variables, home, project, false), "", arguments);
    }

    private void problem(String link, String... parts) {
        Xmem run = xmem("doctor");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(Main.REFUSED);
        assertThat(run.lines())
                .as(run.out())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("problem " + link + ": ")
                        .contains(parts)
                        .contains("; to do: "));
    }

    private Path settings() {
        return home.resolve(".claude/settings.json");
    }

    private void replace(Path file, String old, String now) throws IOException {
        Files.writeString(file, Files.readString(file).replace(old, now));
    }

    @Test
    void healthyInstallation_hasOneLineForEachLink() throws IOException {
        Xmem run = xmem("doctor");
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains("ok      claude settings: " + settings())
                .contains("ok      claude script: " + hook)
                .contains("ok      jar: ")
                .contains("ok      java: " + java, "21.0.4")
                .contains("ok      store: " + store, "failures 0")
                .contains("writable, and its lock is free")
                .contains("ok      resident: none")
                .contains("ok      last event: 2026-03-01T10:00:00Z, claude, PostToolUseFailure of Bash, told, answered"
                        + " by resident in 34 ms")
                .contains("ok      time: median 34 ms")
                .contains("ok      claude test event: answered in ")
                .contains("0 problems")
                .doesNotContain("warning", "to do");
        assertThat(Files.readString(hook.resolveSibling("event"))).contains("\"XmemDoctor\"");
    }

    @Test
    void examination_changesNoFile() throws IOException {
        Map<String, String> before = files();
        xmem("doctor");
        Map<String, String> after = files();
        after.remove(hook.resolveSibling("event").toString());
        assertThat(after).isEqualTo(before);
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                files.put(file.toString(), Files.getLastModifiedTime(file) + " " + Files.size(file));
            }
        }
        return files;
    }

    @Test
    void json_hasLevelLinkTextAndAdvice() {
        Xmem run = xmem("doctor", "--json");
        assertThat(run.lines())
                .singleElement()
                .asString()
                .startsWith("{\"healthy\":true,\"ms\":")
                .contains("{\"level\":\"ok\",\"link\":\"java\",\"text\":");
    }

    @Test
    void nothingInstalled_isAProblem() throws IOException {
        Files.delete(settings());
        problem("settings", "no agent", "run xmem install AGENT");
        Xmem one = xmem("doctor", "--agent", "codex");
        assertThat(one.code()).isEqualTo(Main.REFUSED);
        assertThat(one.out()).contains("codex does not run", "run xmem install codex");
    }

    @Test
    void unknownAgent_isRefused() {
        Xmem run = xmem("doctor", "--agent", "clod");
        assertThat(run.code()).isEqualTo(Main.FAILED);
        assertThat(run.err()).contains("clod", "claude");
    }

    @Test
    void missingScript_isAProblem() throws IOException {
        Files.delete(hook);
        problem("claude script", hook.toString(), "does not exist");
    }

    @Test
    void scriptThatIsNotExecutable_isAProblem() throws IOException {
        Files.setPosixFilePermissions(hook, PosixFilePermissions.fromString("rw-r--r--"));
        problem("claude script", "not executable", "chmod +x");
    }

    @Test
    void missingOrForeignJar_isAProblem() throws IOException {
        jar("another/Program.class");
        problem("jar", "is not the jar of the hooks");
        Files.writeString(hook.resolveSibling("xmem-hook.jar"), "no jar");
        problem("jar", "cannot be read");
        Files.delete(hook.resolveSibling("xmem-hook.jar"));
        problem("jar", "there is no");
    }

    @Test
    void wrongPathOfTheStore_isAWarning_orAProblemIfItCannotBeCreated() throws IOException {
        Files.move(store, store.resolveSibling("moved"), StandardCopyOption.ATOMIC_MOVE);
        Xmem run = xmem("doctor");
        assertThat(run.out()).contains("warning store: there is no store in " + store);
        assertThat(store).as("the test event would create it").doesNotExist();
        Files.writeString(store, "a file");
        problem("store", "none can be created");
    }

    @Test
    void brokenSettings_areAProblem() throws IOException {
        Files.writeString(settings(), Files.readString(settings()) + "}");
        problem("claude settings", settings().toString(), "it is not JSON");
        Files.writeString(settings(), "{\"theme\": ");
        Xmem other = xmem("doctor");
        assertThat(other.out()).contains("warning claude settings: " + settings());
    }

    @Test
    void missingEvent_isAWarning() throws IOException {
        replace(settings(), "PostToolUseFailure", "PreCompact");
        assertThat(xmem("doctor").out()).contains("warning claude settings: ", "no hook for PostToolUseFailure");
    }

    @Test
    void missingOrOldJava_isAProblem() throws IOException {
        executable(java, "#!/bin/sh\necho 'java version \"1.8.0_402\"' >&2\n");
        problem("java", "1.8.0_402", "Java 17");
        Files.delete(java);
        problem("java", "no java on the PATH", "Java 17");
    }

    @Test
    void hookThatDoesNotAnswer_isAProblemWithItsWords() throws IOException {
        executable(hook, "#!/bin/sh\necho 'Error: Unable to access jarfile' >&2\n");
        problem("claude test event", "exit code 0", "Unable to access jarfile");
        executable(hook, "#!/bin/sh\n/bin/cat >/dev/null\n");
        problem("claude test event", "no output", "run by hand");
    }

    @Test
    void missingJarOfTheServer_isAProblem() throws IOException {
        Files.writeString(
                home.resolve(".claude.json"),
                "{\"mcpServers\": {\"xmem\": {\"command\": \"java\", \"args\": [\"-jar\", \"/no/xmem-mcp.jar\"]}}}");
        problem("claude MCP server", "/no/xmem-mcp.jar");
    }

    @Test
    void storeThatIsReadOnly_isAProblem() throws IOException {
        Files.setPosixFilePermissions(store.resolve("data"), PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            problem("store", "read-only", "writable");
        } finally {
            Files.setPosixFilePermissions(store.resolve("data"), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void storeWhoseLockIsHeld_isAProblemThatNamesTheProcess() throws Exception {
        try (LockHolder holder = new LockHolder(store.resolve(".xmem/lock"))) {
            problem("store", "lock", Long.toString(holder.pid()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "xmem-resident 1\nresident\n", "no resident"})
    void staleFileOfAResident_isAWarning(String text) throws IOException {
        Files.writeString(store.resolve(".xmem/resident"), text);
        Xmem run = xmem("doctor");
        assertThat(run.code()).as(run.out()).isZero();
        assertThat(run.out()).contains("warning resident: ", "cannot be read", "to do: delete ");
    }

    @Test
    void fileOfAResidentThatEndedOrWasCopied_isAWarning() throws IOException {
        String key = Files.getAttribute(store, "unix:dev") + ":" + Files.getAttribute(store, "unix:ino");
        String secret = "0123456789abcdef0123456789abcdef";
        String file = "xmem-resident 1\nresident\n999999999\n1\nresident-1\n%s\n" + secret + "\n" + secret
                + "\n/x.jar\n" + store + "\n";
        Path resident = store.resolve(".xmem/resident");
        Files.writeString(resident, file.formatted("1:1"));
        assertThat(xmem("doctor").out()).contains("warning resident: ", "copied");
        Files.writeString(resident, file.formatted(key));
        assertThat(xmem("doctor").out()).contains("warning resident: ", "does not confirm");
        Files.createDirectories(home.resolve(".cache/xmem/residents"));
        Files.writeString(home.resolve(".cache/xmem/residents/resident-1"), secret + "\n");
        assertThat(xmem("doctor").out()).contains("warning resident: ", "has ended");
        String own = Long.toString(ProcessHandle.current().pid());
        Files.writeString(resident, file.formatted(key).replace("999999999", own));
        assertThat(xmem("doctor").out()).contains("warning resident: ", "nothing listens");
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            String port = "\n" + silent.getLocalPort() + "\nresident-1";
            Files.writeString(resident, Files.readString(resident).replace("\n1\nresident-1", port));
            problem("resident", "did not answer");
        }
    }

    @Test
    void troubleOfTheNewestEvent_isAProblem() throws IOException {
        traced("failed", "the event is not JSON");
        problem("last trouble", "the event is not JSON");
        Files.delete(store.resolve(".xmem/hooks.ndjson"));
        Xmem none = xmem("doctor");
        assertThat(none.code()).isZero();
        assertThat(none.out()).contains("warning last event: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"claude", "codex", "gemini", "copilot", "vscode", "cursor", "opencode", "kiro"})
    void everyAgent_isExaminedAsItWasInstalled(String agent) throws IOException {
        Files.delete(settings());
        assertThat(xmem("install", agent, "--project", "--hook", hook.toString(), "--store", store.toString())
                        .code())
                .isZero();
        Xmem run = xmem("doctor", "--agent", agent);
        assertThat(run.code()).as(run.out() + run.err()).isZero();
        assertThat(run.out())
                .contains(agent + " settings: ", agent + " script: " + hook, agent + " test event: answered");
        assertThat(Files.readString(hook.resolveSibling("event"))).contains("XmemDoctor");
    }

    private Path storeWithEvent(String name, String time) throws IOException {
        Path other = project.resolve(name);
        try (XMemStore created = XMem.open(other)) {
            created.flush();
        }
        String line = Files.readString(store.resolve(".xmem/hooks.ndjson"));
        Files.writeString(other.resolve(".xmem/hooks.ndjson"), line.replace("2026-03-01T10:00:00Z", time));
        return other;
    }

    /** The command {@code why} has the stores of this one by default. */
    @Test
    void whyWithoutStore_explainsTheNewestEventOfTheInstalledHooks() throws IOException {
        assertThat(xmem("why", "--last").out()).contains("time: 2026-03-01T10:00:00Z", "store: " + store);

        Path future = storeWithEvent("future", "9999-01-01T00:00:00Z");
        xmem("install", "gemini", "--user", "--hook", hook.toString(), "--store", future.toString());
        assertThat(xmem("why", "--last").out()).contains("time: 2026-03-01T10:00:00Z");

        Path newer = storeWithEvent("newer", "2026-03-01T11:00:00Z");
        xmem("install", "cursor", "--user", "--hook", hook.toString(), "--store", newer.toString());
        assertThat(xmem("why", "--last").out()).contains("time: 2026-03-01T11:00:00Z", "store: " + newer);
        assertThat(xmem("why", "--last", "--store", store.toString()).out()).contains("T10:00:00Z");
    }

    @Test
    void whyWithoutStore_theProjectsSettings_areBehindTheUsersAndXmemStore() throws IOException {
        Path projects = storeWithEvent("projects", "2026-03-01T11:00:00Z");
        xmem("install", "claude", "--project", "--hook", hook.toString(), "--store", projects.toString());
        assertThat(xmem("why", "--last").out()).contains("store: " + store);

        Path good = storeWithEvent("good", "2026-03-01T09:00:00Z");
        Map<String, String> named = Map.of("XMEM_STORE", good.toString());
        assertThat(with(named, "why", "--last").out()).contains("time: 2026-03-01T09:00:00Z", "store: " + good);

        xmem("install", "claude", "--uninstall", "--hook", hook.toString());
        assertThat(xmem("why", "--last").out()).contains("store: " + projects);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\\"$HOME/the store\\\"", "~/store"})
    void whyWithoutStore_ofHooksThatOnlyAShellCanResolve_isAskedFor(String path) throws IOException {
        Files.move(store, Files.createDirectories(home.resolve("data")).resolve("xmem"));
        replace(settings(), "'" + store + "'", path);
        replace(settings(), "'" + store.toString().replace("'", "'\\\\''") + "'", path);
        assertThat(Files.readString(settings())).contains(path);

        Xmem run = xmem("why", "--last");
        assertThat(run.code()).isNotZero();
        assertThat(run.err()).contains("give --store DIR");
    }

    @Test
    void statsWithoutStore_ofHooks_namesTheirs() throws IOException {
        assertThat(xmem("stats").err())
                .isEqualTo("xmem: no store: give --store DIR, or set XMEM_STORE to its directory. That of the hooks is "
                        + store + "\n");
        Files.move(store, home.resolve("elsewhere"));
        assertThat(xmem("stats").err()).endsWith(store + ", which their first event creates\n");
    }

    @Test
    void whyWithoutStore_noHooks_explainsTheUsersOwnStore() throws IOException {
        xmem("install", "claude", "--uninstall", "--hook", hook.toString());
        assertThat(xmem("why", "--last").err()).contains("no store: give --store DIR");

        Path own = home.resolve("data/xmem");
        try (XMemStore created = XMem.open(own)) {
            created.flush();
        }
        Files.copy(store.resolve(".xmem/hooks.ndjson"), own.resolve(".xmem/hooks.ndjson"));
        assertThat(xmem("why", "--last").out()).contains("time: 2026-03-01T10:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"settings.json", "settings.local.json"})
    void hooksThatAreTurnedOff_areAProblem(String name) throws IOException {
        Path file = project.resolve(".claude").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "{\"disableAllHooks\": true}");
        problem("claude settings", file + " has disableAllHooks", "remove disableAllHooks");

        Files.writeString(file, "{\"disableAllHooks\": false}");
        assertThat(xmem("doctor").out()).contains("0 problems");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model = \"x\"\n[features]\nweb = true\nhooks = false # not now\n",
                "features.codex_hooks=false\n",
                "\"features\" = { web = true, hooks = false }\n"
            })
    void hooksOfCodexThatAreTurnedOff_areAProblem(String settings) throws IOException {
        Path file = home.resolve(".codex/config.toml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, settings);
        Xmem installed = xmem("install", "codex", "--hook", hook.toString(), "--store", store.toString());

        assertThat(installed.out()).contains(file + " has ", "hooks", "codex runs no hook");
        problem("codex settings", file + " has ", "hooks", "the agent runs no hook");
        Files.writeString(file, settings.replace("false", "true") + "[other]\nhooks = false\n");
        assertThat(xmem("doctor").out()).contains("0 problems");
        assertThat(xmem("install", "codex", "--hook", hook.toString(), "--store", store.toString())
                        .out())
                .doesNotContain("runs no hook");
    }

    @Test
    void hooksOfVsCodeAndOfCopilot_areRunTwice() {
        Xmem first = xmem("install", "vscode", "--hook", hook.toString(), "--store", store.toString());
        assertThat(first.out()).contains("Copilot CLI runs these hooks too");
        assertThat(xmem("doctor").out()).doesNotContain("twice");
        Xmem second = xmem("install", "copilot", "--hook", hook.toString(), "--store", store.toString());
        assertThat(second.out()).contains("xmem-vscode.json too", "run xmem install vscode --uninstall");

        for (String agent : new String[] {"copilot", "vscode"}) {
            assertThat(xmem("doctor", "--agent", agent).out())
                    .contains("warning " + agent + " settings: Copilot CLI runs both ", "twice");
        }
        xmem("install", "copilot", "--uninstall");
        assertThat(xmem("doctor").out()).doesNotContain("twice");
    }

    @Test
    void hooksOfTheUserAndOfTheProject_areAWarning() throws IOException {
        xmem("install", "claude", "--project", "--hook", hook.toString(), "--store", store.toString());

        assertThat(xmem("doctor").out()).contains("warning claude settings: both " + settings() + " and ", "twice");
    }
}
