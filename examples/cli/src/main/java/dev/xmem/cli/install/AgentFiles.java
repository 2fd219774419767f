package dev.xmem.cli.install;

import dev.xmem.cli.install.JsonPart.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The files of each agent, and the entries in them. A hook is installed only for events whose output the agent reads,
 * or whose result is recorded.
 */
final class AgentFiles {
    /** The agents, in the order of the help. */
    static final List<String> AGENTS =
            List.of("claude", "codex", "gemini", "copilot", "vscode", "cursor", "opencode", "kiro");

    private static final int SECONDS = 10;

    private static final String LOCALE = "LC_ALL";
    private static final String UTF_8 = "C.UTF-8";

    private final InstallRequest request;
    private final List<String> notes = new ArrayList<>();

    AgentFiles(InstallRequest request) {
        this.request = request;
    }

    /**
     * The parts of an agent.
     *
     * @throws InstallException if the agent is unknown, or has no such file
     */
    List<Part> parts() throws IOException {
        List<Part> parts = new ArrayList<>();
        switch (request.agent()) {
            case "claude" -> {
                Path folder = folder("CLAUDE_CONFIG_DIR", ".claude");
                // Without --agent: Copilot, VS Code and Cursor read this file too.
                parts.add(hooks(
                        folder.resolve("settings.json"),
                        Map.of(),
                        grouped(
                                true,
                                "",
                                SECONDS,
                                "PreToolUse",
                                "PostToolUse",
                                "PostToolUseFailure",
                                "UserPromptSubmit",
                                "Stop",
                                "SessionEnd")));
                server(
                        parts,
                        request.user() ? null : request.base().resolve(".mcp.json"),
                        "mcpServers",
                        stdio(),
                        "claude mcp add --scope user xmem -- " + String.join(" ", quotedServer()));
            }
            case "codex" -> {
                Path folder = folder("CODEX_HOME", ".codex");
                parts.add(hooks(
                        folder.resolve("hooks.json"),
                        Map.of(),
                        grouped(false, "codex", SECONDS, "PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop")));
                if (request.mcpJar() != null) {
                    List<String> words =
                            serverCommand().stream().map(JsonLayout::quoted).toList();
                    parts.add(new Part.TomlBlock(
                            folder.resolve("config.toml"),
                            "mcp_servers.xmem",
                            "command = " + words.get(0) + "\nargs = ["
                                    + String.join(", ", words.subList(1, words.size())) + "]"
                                    + (isAscii() ? "" : "\nenv = { " + LOCALE + " = \"" + UTF_8 + "\" }")));
                }
            }
            case "gemini" -> {
                Path file = request.base().resolve(".gemini/settings.json");
                JsonPart hooks =
                        hooks(file, Map.of(), grouped(false, "gemini", SECONDS * 1000, "AfterTool", "BeforeAgent"));
                boolean server = request.mcpJar() != null;
                parts.add(
                        server
                                ? new JsonPart(
                                        file,
                                        Map.of(),
                                        hooks.elements(),
                                        List.of(new Entry(
                                                List.of("mcpServers", "xmem"), commandAndArgs(new LinkedHashMap<>()))))
                                : hooks);
            }
            case "copilot" -> {
                Path file = request.user()
                        ? folder("COPILOT_HOME", ".copilot").resolve("hooks/xmem.json")
                        : request.base().resolve(".github/hooks/xmem.json");
                parts.add(hooks(
                        file,
                        version(1),
                        flat(
                                "copilot",
                                command -> member("type", "command", "bash", command, "timeoutSec", SECONDS),
                                "postToolUse",
                                "postToolUseFailure")));
                server(
                        parts,
                        request.user() ? folder("COPILOT_HOME", ".copilot").resolve("mcp-config.json") : null,
                        "mcpServers",
                        copilotServer(),
                        "xmem install copilot --user --mcp");
            }
            case "vscode" -> {
                Path file = request.user()
                        ? folder("COPILOT_HOME", ".copilot").resolve("hooks/xmem-vscode.json")
                        : request.base().resolve(".github/hooks/xmem-vscode.json");
                // Without --agent: Copilot reads this folder too.
                parts.add(hooks(
                        file,
                        version(1),
                        flat(
                                "",
                                command -> member("type", "command", "command", command, "timeout", SECONDS),
                                "PreToolUse",
                                "PostToolUse",
                                "UserPromptSubmit")));
                server(
                        parts,
                        request.user() ? null : request.base().resolve(".vscode/mcp.json"),
                        "servers",
                        stdio(),
                        "xmem install vscode --project --mcp, or code --add-mcp");
            }
            case "cursor" -> {
                Path folder = request.base().resolve(".cursor");
                parts.add(hooks(
                        folder.resolve("hooks.json"),
                        version(1),
                        flat(
                                "cursor",
                                command -> member("command", command, "timeout", SECONDS),
                                "postToolUse",
                                "postToolUseFailure",
                                "beforeSubmitPrompt")));
                server(parts, folder.resolve("mcp.json"), "mcpServers", commandAndArgs(new LinkedHashMap<>()), "");
            }
            case "opencode" -> {
                Path folder = request.user()
                        ? config().resolve("opencode")
                        : request.base().resolve(".opencode");
                parts.add(new Part.WholeFile(folder.resolve("plugins/xmem.ts"), plugin()));
                Map<String, Object> server = member("type", "local", "command", serverCommand(), "enabled", true);
                server.put("environment", serverVariables());
                server(parts, (request.user() ? folder : request.base()).resolve("opencode.json"), "mcp", server, "");
            }
            case "kiro" -> {
                Path folder = request.base().resolve(".kiro");
                List<Entry> hooks = new ArrayList<>();
                for (String trigger : List.of("PostToolUse", "UserPromptSubmit")) {
                    Map<String, Object> hook = member("name", "xmem " + trigger, "trigger", trigger);
                    hook.put("action", member("type", "command", "command", command("kiro", false)));
                    hook.put("timeout", SECONDS);
                    hooks.add(new Entry(List.of("hooks"), hook));
                }
                parts.add(hooks(folder.resolve("hooks/xmem.json"), version("v1"), hooks));
                server(
                        parts,
                        folder.resolve("settings/mcp.json"),
                        "mcpServers",
                        commandAndArgs(new LinkedHashMap<>()),
                        "");
            }
            default ->
                throw new InstallException(
                        "unknown agent " + request.agent() + ", use one of " + String.join(", ", AGENTS));
        }
        return parts;
    }

    /** What is left to do by hand; known after {@link #parts}. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    private static JsonPart hooks(Path file, Map<String, Object> header, List<Entry> elements) {
        return new JsonPart(file, header, elements, List.of());
    }

    private void server(List<Part> parts, @Nullable Path file, String key, Map<String, Object> server, String instead) {
        if (request.mcpJar() != null && file != null) {
            parts.add(new JsonPart(file, Map.of(), List.of(), List.of(new Entry(List.of(key, "xmem"), server))));
        } else if (request.mcpJar() != null && !request.uninstall()) {
            notes.add("the MCP server is not registered, since no file of this scope can be edited safely; run: "
                    + instead);
        }
    }

    /** The folder of an agent: in the project, or the user's own, which a variable may name. */
    private Path folder(String variable, String name) {
        String named = request.user() ? request.variables().getOrDefault(variable, "") : "";
        return named.isEmpty() ? request.base().resolve(name) : request.base().resolve(named);
    }

    private Path config() {
        String named = request.variables().getOrDefault("XDG_CONFIG_HOME", "");
        return request.base().resolve(named.isEmpty() ? ".config" : named);
    }

    /** Hooks in groups with a matcher, as in the settings of Claude Code. */
    private List<Entry> grouped(boolean async, String agent, int timeout, String... events) {
        List<Entry> entries = new ArrayList<>();
        for (String event : events) {
            boolean before = event.startsWith("Pre");
            Map<String, Object> hook = member("type", "command", "command", command(agent, before), "timeout", timeout);
            if (async && event.equals("PostToolUse")) {
                hook.put("async", true);
            }
            Map<String, Object> group = event.contains("Tool") ? member("matcher", "*") : new LinkedHashMap<>();
            group.put("hooks", List.of(hook));
            entries.add(new Entry(List.of("hooks", event), group));
        }
        return entries;
    }

    private List<Entry> flat(String agent, Function<String, Map<String, Object>> hook, String... events) {
        List<Entry> entries = new ArrayList<>();
        for (String event : events) {
            entries.add(new Entry(List.of("hooks", event), hook.apply(command(agent, event.startsWith("Pre")))));
        }
        return entries;
    }

    /** The shell command of a hook. Before a call it must end with exit code 0, even if the script is gone. */
    private String command(String agent, boolean beforeCall) {
        String option = agent.isEmpty() ? "" : " --agent " + agent;
        return quoted(request.hook()) + " " + quoted(request.store()) + option + (beforeCall ? " || true " : " ")
                + Part.MARK;
    }

    /** A word of a POSIX shell. */
    static String quoted(Path path) {
        return "'" + path.toString().replace("'", "'\\''") + "'";
    }

    private List<String> serverCommand() {
        return List.of(
                "java",
                "-jar",
                String.valueOf(request.mcpJar()),
                "--store",
                request.store().toString());
    }

    /** Hosts pass few environment variables to a server, and without a locale a JVM can name ASCII paths only. */
    private Map<String, Object> serverVariables() {
        return isAscii() ? member(JsonPart.VARIABLE, "1") : member(JsonPart.VARIABLE, "1", LOCALE, UTF_8);
    }

    private boolean isAscii() {
        return StandardCharsets.US_ASCII.newEncoder().canEncode(String.join(" ", serverCommand()));
    }

    private List<String> quotedServer() {
        return List.of(
                "java", "-jar", quoted(Path.of(String.valueOf(request.mcpJar()))), "--store", quoted(request.store()));
    }

    private Map<String, Object> stdio() {
        return commandAndArgs(member("type", "stdio"));
    }

    private Map<String, Object> copilotServer() {
        Map<String, Object> server = commandAndArgs(member("type", "local"));
        server.put("tools", List.of("*"));
        return server;
    }

    private Map<String, Object> commandAndArgs(Map<String, Object> server) {
        List<String> command = serverCommand();
        server.put("command", command.get(0));
        server.put("args", command.subList(1, command.size()));
        server.put("env", serverVariables());
        return server;
    }

    private String plugin() throws IOException {
        try (InputStream in = AgentFiles.class.getResourceAsStream("xmem.ts")) {
            if (in == null) {
                throw new IllegalStateException("xmem.ts is not in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\"xmem-hook\"", JsonLayout.quoted(request.hook().toString()))
                    .replace(
                            "\".xmem-store\"", JsonLayout.quoted(request.store().toString()));
        }
    }

    private static Map<String, Object> version(Object version) {
        return Map.of("version", version);
    }

    private static Map<String, Object> member(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
        }
        return members;
    }
}
