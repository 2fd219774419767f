package dev.xmem.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterTry;
import net.jqwik.api.lifecycle.BeforeTry;

/** Installs in random settings, uses what was installed as JSON, and removes it again. */
class InstallPropertyTest {
    private Path home = Path.of("");

    @BeforeTry
    void createHome() throws IOException {
        home = Files.createTempDirectory("xmem-install");
    }

    @AfterTry
    void deleteHome() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Provide
    Arbitrary<String> agents() {
        return Arbitraries.of(AgentFiles.AGENTS);
    }

    /** In a scope in which the agent has a file for servers. */
    private InstallRequest request(String agent, boolean uninstall, String store) {
        Path folder = Path.of("/opt/it's \"here\"");
        boolean user = !agent.equals("claude") && !agent.equals("vscode");
        Path hook = folder.resolve("xmem-hook");
        Path jar = folder.resolve("xmem-mcp.jar");
        return new InstallRequest(agent, user, home, Map.of(), hook, Path.of(store), jar, uninstall);
    }

    private void run(String agent, boolean uninstall, String store) throws IOException {
        for (Installer.Change change : new Installer(request(agent, uninstall, store)).plan()) {
            change.write();
        }
    }

    /** Writes a text to the files that a user may have filled. */
    private void fill(String agent, String text) throws IOException {
        for (Part part : new AgentFiles(request(agent, false, "/store")).parts()) {
            if (part instanceof JsonPart) {
                Files.createDirectories(part.path().getParent());
                Files.writeString(part.path(), agent.equals("kiro") ? text.replace("\"hooks\":", "\"theirs\":") : text);
            }
        }
    }

    /** What a user adds to each file: a first member. */
    private void edit() throws IOException {
        for (String name : files().keySet()) {
            Path file = home.resolve(name);
            if (name.endsWith(".json")) {
                String text = Files.readString(file);
                int brace = text.indexOf('{') + 1;
                Files.writeString(file, text.substring(0, brace) + "\"zz\":1," + text.substring(brace));
            }
        }
    }

    private Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(home)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                files.put(home.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
        return files;
    }

    @Property(tries = 120)
    void install_again_uninstall_givesBackTheBytes(@ForAll("agents") String agent, @ForAll long seed)
            throws IOException {
        fill(agent, RandomSettings.of(seed));
        Map<String, String> before = files();

        run(agent, false, "/store");
        Map<String, String> installed = files();
        before.forEach((name, text) ->
                assertThat(isInOrder(text, installed.get(name))).as(name).isTrue());
        run(agent, false, "/store");

        assertThat(files()).isEqualTo(installed).isNotEqualTo(before);
        run(agent, false, "/another store");
        assertThat(files()).isNotEqualTo(installed);
        run(agent, true, "/store");
        assertThat(files()).isEqualTo(before);
    }

    /** Whether the text is the other one after insertions alone. */
    private static boolean isInOrder(String text, String other) {
        int at = 0;
        for (int i = 0; i < other.length() && at < text.length(); i++) {
            at += text.charAt(at) == other.charAt(i) ? 1 : 0;
        }
        return at == text.length();
    }

    @Property(tries = 120)
    void uninstall_afterTheUserEdited_leavesTheEditAlone(@ForAll("agents") String agent, @ForAll long seed)
            throws IOException {
        String settings = RandomSettings.of(seed);
        Assume.that(!JsonDocument.parse(settings.replace("\uFEFF", ""))
                .root
                .children
                .isEmpty());
        fill(agent, settings);
        edit();
        Map<String, String> edited = files();
        fill(agent, settings);

        run(agent, false, "/store");
        edit();
        run(agent, true, "/store");

        assertThat(files()).isEqualTo(edited);
    }

    private interface Edit {
        String of(String text) throws IOException;
    }

    /** Changes each settings file. */
    private void edit(Edit edit) throws IOException {
        for (String name : files().keySet()) {
            Path file = home.resolve(name);
            if (name.endsWith(".json")) {
                String text = Files.readString(file);
                String bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
                Files.writeString(file, bom + edit.of(text.substring(bom.length())));
            }
        }
    }

    /** The same JSON in one line, without comments. */
    private static String minified(String text) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonParser parser = JsonFactory.builder()
                        .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
                        .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
                        .build()
                        .createParser(text);
                JsonGenerator copy = new JsonFactory().createGenerator(out)) {
            parser.nextToken();
            copy.copyCurrentStructure(parser);
        }
        return out.toString();
    }

    private void uninstallAfter(String agent, long seed, Edit edit) throws IOException {
        String settings = RandomSettings.of(seed);
        fill(agent, settings);
        edit(edit);
        edit(InstallPropertyTest::minified);
        Map<String, String> expected = files();
        fill(agent, settings);

        run(agent, false, "/store");
        edit(edit);
        run(agent, true, "/store");
        edit(InstallPropertyTest::minified);

        assertThat(files()).isEqualTo(expected);
    }

    @Property(tries = 80)
    void uninstall_afterAFormatter_removesOnlyTheEntries(@ForAll("agents") String agent, @ForAll long seed)
            throws IOException {
        uninstallAfter(agent, seed, InstallPropertyTest::minified);
    }

    @Property(tries = 80)
    void uninstall_afterTheUserAppended_removesOnlyTheEntries(@ForAll("agents") String agent, @ForAll long seed)
            throws IOException {
        uninstallAfter(agent, seed, text -> JsonDocument.parse(text).put(List.of("zz", "yy"), "x").text);
        deleteHome();
        createHome();
        List<String> hooks = agent.equals("kiro") ? List.of("hooks") : List.of("hooks", "PostToolUse");
        uninstallAfter(agent, seed, text -> {
            JsonDocument appended = JsonDocument.parse(text).append(hooks, Map.of("mine", "echo"));
            return appended.put(List.of("zz"), 1).text;
        });
    }
}
