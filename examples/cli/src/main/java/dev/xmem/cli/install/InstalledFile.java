package dev.xmem.cli.install;

import dev.xmem.cli.install.JsonNode.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a settings file of an agent has of xmem now, written by {@code xmem install} or by hand.
 *
 * @param state whether it could be read, and has entries of xmem
 * @param trouble why it could not be read; empty if it could
 * @param hooks the hooks of xmem in it
 * @param missing the events that {@code xmem install} would add
 * @param serverJar the jar of the MCP server that it registers; empty if it names none, null if it registers none
 * @param switchedOff the setting in it that keeps the agent from running hooks; null if there is none
 */
public record InstalledFile(
        Path path,
        State state,
        String trouble,
        List<Hook> hooks,
        List<String> missing,
        @Nullable String serverJar,
        @Nullable String switchedOff) {
    private static final List<String> OF_COPILOT = List.of("xmem.json", "xmem-vscode.json");
    private static final Pattern JAR = Pattern.compile("\"([^\"]*\\.jar)\"");
    private static final Pattern OFF = Pattern.compile("\\[?features(\\]?\\.|=\\{(.*,)?)(codex_)?hooks=false([,}].*)?");
    private static final Pattern CONSTANT = Pattern.compile("(?m)^const (HOOK|STORE) = (\".*\")$");

    public InstalledFile {
        hooks = List.copyOf(hooks);
        missing = List.copyOf(missing);
    }

    /** The state of a file. */
    public enum State {
        MISSING,
        /** The file cannot be read and does not name xmem. */
        UNREADABLE,
        /** The file cannot be read and names xmem. */
        BROKEN,
        /** The file can be read and has no hook of xmem. */
        WITHOUT,
        INSTALLED
    }

    /**
     * A hook.
     *
     * @param event the agent's name of the event
     * @param command the command line, for a shell
     */
    public record Hook(String event, String command) {}

    /**
     * Reads the files of an agent. Changes nothing.
     *
     * @param request the agent and the scope; the rest does not matter
     */
    public static List<InstalledFile> of(InstallRequest request) throws IOException {
        List<InstalledFile> files = new ArrayList<>();
        // As if to uninstall, with a server: that knows every file.
        Path any = request.hook();
        for (Part part : new AgentFiles(new InstallRequest(
                        request.agent(), request.user(), request.base(), request.variables(), any, any, any, true))
                .parts()) {
            files.add(read(part));
        }
        if (request.agent().equals("claude") && !request.user()) {
            Path path = request.base().resolve(".claude/settings.local.json");
            files.add(read(new JsonPart(path, Map.of(), List.of(new JsonPart.Entry(List.of("hooks"), "")), List.of())));
        } else if (request.agent().equals("claude")) {
            JsonPart.Entry server = new JsonPart.Entry(List.of("mcpServers", "xmem"), "");
            Path path = request.base().resolve(".claude.json");
            files.add(read(new JsonPart(path, Map.of(), List.of(), List.of(server))));
        }
        return files;
    }

    /** The other file with hooks of xmem in its folder, which Copilot runs too; null if there is none. */
    public @Nullable Path twin() {
        int at = OF_COPILOT.indexOf(String.valueOf(path.getFileName()));
        Path twin = at < 0 ? null : path.resolveSibling(OF_COPILOT.get(1 - at));
        try {
            return twin != null && Part.isIn(Files.readString(twin)) ? twin : null;
        } catch (IOException e) {
            return null;
        }
    }

    private static InstalledFile read(Part part) {
        String text = "";
        try {
            if (!Files.exists(part.path())) {
                return new InstalledFile(part.path(), State.MISSING, "", List.of(), List.of(), null, null);
            }
            text = Files.readString(part.path());
            return part instanceof JsonPart json ? ofJson(json, text) : ofText(part, text);
        } catch (IOException e) {
            State state = text.contains("xmem") ? State.BROKEN : State.UNREADABLE;
            String trouble = e instanceof InstallException ? String.valueOf(e.getMessage()) : e.toString();
            return new InstalledFile(part.path(), state, trouble, List.of(), List.of(), null, null);
        }
    }

    private static InstalledFile ofJson(JsonPart part, String text) throws IOException {
        JsonDocument document = JsonDocument.parse(text.startsWith("\uFEFF") ? text.substring(1) : text);
        List<Hook> hooks = new ArrayList<>();
        if (!part.elements().isEmpty()) {
            collect(document.root, hooks);
        }
        List<String> missing = new ArrayList<>();
        for (JsonPart.Entry element : part.elements()) {
            String event = element.path().get(element.path().size() - 1);
            boolean named = element.path().size() > 1;
            if (named && hooks.stream().noneMatch(hook -> hook.event.equals(event))) {
                missing.add(event);
            }
        }
        String jar = null;
        for (JsonPart.Entry member : part.members()) {
            JsonNode server = document.at(member.path());
            jar = server == null ? jar : jar(text.substring(server.start, server.end));
        }
        JsonNode disabled = document.at(List.of("disableAllHooks"));
        return found(
                part,
                hooks,
                hooks.isEmpty() ? List.of() : missing,
                jar,
                disabled != null && disabled.text.equals("true") ? "disableAllHooks" : null);
    }

    private static void collect(JsonNode node, List<Hook> hooks) {
        if (node.kind == Kind.STRING && (node.text.endsWith(Part.MARK) || node.text.contains("xmem-hook"))) {
            hooks.add(new Hook(event(node), node.text));
        }
        node.children.forEach(child -> collect(child, hooks));
    }

    /** The name of the array that a hook is in, or of its trigger. */
    private static String event(JsonNode hook) {
        for (JsonNode node = hook; node.parent != null; node = node.parent) {
            JsonNode trigger = node.member("trigger");
            if (trigger != null) {
                return trigger.text;
            }
            if ("hooks".equals(node.parent.key) && node.key != null) {
                return node.key;
            }
        }
        return "";
    }

    private static InstalledFile ofText(Part part, String text) throws IOException {
        List<Hook> hooks = new ArrayList<>();
        if (part instanceof Part.WholeFile && text.contains(Part.MARK)) {
            StringBuilder command = new StringBuilder();
            Matcher constant = CONSTANT.matcher(text);
            while (constant.find()) {
                JsonNode word = JsonDocument.parse("{\"word\": " + constant.group(2) + "}")
                        .root
                        .children
                        .get(0);
                command.append(AgentFiles.quoted(Path.of(word.text))).append(' ');
            }
            hooks.add(new Hook("tool.execute.after", command + "--agent opencode"));
        }
        boolean isToml = part instanceof Part.TomlBlock;
        int table = part instanceof Part.TomlBlock block ? text.indexOf('[' + block.table() + ']') : -1;
        String jar = table < 0 ? null : jar(text.substring(table));
        return found(part, hooks, List.of(), jar, isToml ? switchOfCodex(text) : null);
    }

    /** The line of Codex's settings that switches its hooks off; null if there is none. */
    private static @Nullable String switchOfCodex(String toml) {
        String table = "";
        for (String line : toml.split("\\R")) {
            String bare = line.replaceAll("#.*|[ \\t\"']", "");
            if (bare.startsWith("[")) {
                table = bare + '.';
            } else if (OFF.matcher(table + bare).matches()) {
                return line.strip();
            }
        }
        return null;
    }

    private static String jar(String text) {
        Matcher jar = JAR.matcher(text);
        return jar.find() ? jar.group(1).replace("\\\\", "\\") : "";
    }

    private static InstalledFile found(
            Part part, List<Hook> hooks, List<String> missing, @Nullable String jar, @Nullable String switchedOff) {
        State state = hooks.isEmpty() && jar == null ? State.WITHOUT : State.INSTALLED;
        return new InstalledFile(part.path(), state, "", hooks, missing, jar, switchedOff);
    }
}
