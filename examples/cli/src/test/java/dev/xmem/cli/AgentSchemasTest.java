package dev.xmem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds what {@code xmem install} writes, and the plugin folder, against the schemas that agents or SchemaStore
 * publish. They are files of others, so they are not in this repository: {@code -Dxmem.schemas=FOLDER} names a folder
 * with them; see {@code examples/hooks/README.md}.
 */
class AgentSchemasTest {
    private static final Path PLUGIN = Path.of("../plugin").toAbsolutePath().normalize();
    private static final String FOLDER = System.getProperty("xmem.schemas", "");

    @TempDir
    Path folder;

    private static Schema schema(String name) throws IOException {
        Path file = Path.of(FOLDER).resolve(name);
        assumeTrue(!FOLDER.isEmpty() && Files.exists(file), "no " + name + ": name its folder with -Dxmem.schemas");
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                .getSchema(Files.readString(file), InputFormat.JSON);
    }

    @ParameterizedTest
    @CsvSource({
        "claude, --project, .claude/settings.json, claude-code-settings.json, PostToolUse",
        "claude, --user,    .claude/settings.json, claude-code-settings.json, PostToolUse",
        "codex,  --user,    .codex/hooks.json,     codex-hooks.json,          PostToolUse",
        "gemini, --project, .gemini/settings.json, settings.schema.json,      AfterTool",
        "gemini, --user,    .gemini/settings.json, settings.schema.json,      AfterTool"
    })
    void installedSettings_areValid(String agent, String scope, String name, String schemaName, String event)
            throws Exception {
        Schema schema = schema(schemaName);
        Path jar = Files.createFile(folder.resolve("xmem-mcp.jar"));
        Path hook = Files.createFile(folder.resolve("xmem-hook"));
        assertThat(hook.toFile().setExecutable(true)).isTrue();
        Environment environment = new Environment(Map.of("HOME", folder.toString()), folder, folder, false);
        List<String> line = List.of("install", agent, scope, "--hook", hook.toString(), "--mcp-jar", jar.toString());
        Xmem installed = Xmem.in(environment, "", line.toArray(String[]::new));
        assertThat(installed.code()).as(installed.err()).isZero();

        String text = Files.readString(folder.resolve(name));
        String wrong = text.replaceFirst("\"" + event + "\": \\[", "\"" + event + "\": [1,");
        assertThat(schema.validate(text, InputFormat.JSON)).as(text).isEmpty();
        assertThat(schema.validate(wrong, InputFormat.JSON))
                .as("the schema checks the hooks")
                .isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        ".claude-plugin/plugin.json,      claude-code-plugin-manifest.json",
        ".claude-plugin/marketplace.json, claude-code-marketplace.json",
        "hooks/codex.json,                codex-hooks.json",
        ".codex-plugin/plugin.json,       codex-plugin-manifest.json"
    })
    void pluginFolder_isValid(String name, String schemaName) throws Exception {
        Schema schema = schema(schemaName);

        String text = Files.readString(PLUGIN.resolve(name));
        // Codex reads this member, its published schema does not have it.
        String known = name.startsWith(".codex") ? text.replaceFirst("\"hooks\": \"[^\"]*\",", "") : text;
        assertThat(schema.validate(known, InputFormat.JSON)).as(known).isEmpty();
        assertThat(schema.validate("{\"name\": 1}", InputFormat.JSON)).isNotEmpty();
    }
}
