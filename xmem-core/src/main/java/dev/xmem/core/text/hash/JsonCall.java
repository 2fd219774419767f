package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call whose arguments are a JSON object. The call of an agent's shell tool ({@code Bash} with
 * {@code {"command": "…"}}) is the call that its command line is. The operation of another tool is the value of the
 * first member of {@link #OPERATION_KEYS} that is a plain word, else {@code run}.
 *
 * <p>Reads the strings and arrays of strings of the outermost object in one pass and ignores everything else.
 */
final class JsonCall {
    private static final int MAX_CHARS = 65_536;
    private static final List<String> COMMAND_KEYS =
            List.of("command", "cmd", "script", "commands", "CommandLine", "command_line");
    private static final List<String> OPERATION_KEYS =
            List.of("action", "operation", "method", "subcommand", "sub_command", "verb");

    /** What a shell passes on as it is. */
    private static final LiteralPattern PLAIN = new LiteralPattern("[\\w@%+=:,./-]+");

    /** A request that is written without JSON. */
    private static final LiteralPattern REQUEST =
            new LiteralPattern("(?s)(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (https?://\\S{1,2000})(?:\\s.*)?");

    private static final List<String> URL_KEYS = List.of("url", "uri", "endpoint", "base_url");

    private JsonCall() {}

    /** The calls, or null if the action is neither a JSON object nor a method and a URL. */
    static CommandLine.@Nullable Candidates of(String tool, String action) {
        Matcher request = action.contains(" http") ? REQUEST.matcher(action) : null;
        if (request != null && request.matches()) {
            String url = request.group(2);
            String operation = Slugs.kebab(request.group(1)) + '-' + HostNames.service(url);
            return new CommandLine.Candidates(new CommandLine.Call(tool, operation, List.of(url), List.of(), null));
        }
        Map<String, List<String>> members = members(named(tool, action));
        if (members.isEmpty()) {
            return null;
        }
        List<String> command = command(tool, members);
        if (command != null) {
            return command.size() == 1
                    ? CommandLine.line(command.get(0))
                    : new CommandLine.Candidates(CommandLine.parse(command));
        }
        String operation = operation(members);
        boolean reads = operation.equals(OperationParser.ANY) && ToolTable.isReader(tool);
        String service = reads || ToolTable.isBrowser(tool) ? "" : service(members);
        String whole = service.isEmpty() ? operation : operation + '-' + service;
        return new CommandLine.Candidates(new CommandLine.Call(tool, whole, operands(members), List.of(), null));
    }

    /** The arguments of an action that begins with the name of the tool. */
    private static String named(String tool, String action) {
        int end = action.indexOf(' ');
        return end > 0
                        && action.startsWith("{", end + 1)
                        && ToolTable.canonical(action.substring(0, end)).equals(tool)
                ? action.substring(end + 1)
                : action;
    }

    /** The shell line that the call runs, or null if it runs none. */
    static @Nullable String script(String tool, String action) {
        List<String> command = ToolTable.listed("runner", tool) ? command(tool, members(action)) : null;
        if (command == null || command.size() < 2) {
            return command == null ? null : command.get(0);
        }
        return command.stream().map(JsonCall::quoted).collect(Collectors.joining(" "));
    }

    /** A word as a shell line has it. */
    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : '\'' + word.replace("'", "'\\''") + '\'';
    }

    /**
     * The members of the outermost object as {@code name: value}, an array as {@code name: [a, b]}; without those whose
     * values are objects.
     */
    static List<String> parts(String action) {
        List<String> parts = new ArrayList<>();
        LenientJson json = new LenientJson(action.substring(0, Math.min(action.length(), MAX_CHARS)), 0);
        String name = "";
        List<String> items = new ArrayList<>();
        LenientJson.Token token = json.next();
        while (token != LenientJson.Token.END && json.depth() > 0) {
            boolean scalar = token == LenientJson.Token.STRING || token == LenientJson.Token.WORD;
            if (token == LenientJson.Token.KEY && json.depth() == 1) {
                name = json.value();
                items.clear();
            } else if (scalar && json.depth() == 1) {
                parts.add(name + ": " + json.value());
            } else if (scalar && json.depth() == 2) {
                items.add(json.value());
            } else if (token == LenientJson.Token.CLOSE && json.depth() == 1) {
                parts.add(name + ": " + items);
            }
            token = json.next();
        }
        return parts;
    }

    private static @Nullable List<String> command(String tool, Map<String, List<String>> members) {
        for (String key : ToolTable.listed("runner", tool) ? COMMAND_KEYS : List.<String>of()) {
            List<String> command = members.get(key);
            if (command != null) {
                return command;
            }
        }
        return null;
    }

    private static String operation(Map<String, List<String>> members) {
        for (String key : OPERATION_KEYS) {
            List<String> value = members.get(key);
            if (value != null && value.size() == 1 && isIdentifier(value.get(0))) {
                return Slugs.kebab(value.get(0));
            }
        }
        return OperationParser.ANY;
    }

    /** The service that a request is sent to, or an empty text. */
    private static String service(Map<String, List<String>> members) {
        for (String key : URL_KEYS) {
            List<String> value = members.get(key);
            if (value != null && value.size() == 1 && value.get(0).contains("://")) {
                return HostNames.service(value.get(0));
            }
        }
        return "";
    }

    private static List<String> operands(Map<String, List<String>> members) {
        List<String> all = new ArrayList<>();
        for (List<String> values : members.values()) {
            for (String value : values) {
                if (value.length() < 200 && all.size() < 50) {
                    all.add(value);
                }
            }
        }
        return all;
    }

    private static boolean isIdentifier(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(Character.isLetter(c) || c == '_' || c == '-' || i > 0 && CharClasses.isDigit(c))) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= 40;
    }

    /** The members that have a string or an array of strings; empty if the action is no object, or does not end. */
    static Map<String, List<String>> members(String action) {
        Map<String, List<String>> members = new LinkedHashMap<>();
        int from = action.indexOf('{');
        if (from < 0 || !action.substring(0, from).isBlank()) {
            return members;
        }
        LenientJson json = new LenientJson(action.substring(0, Math.min(action.length(), MAX_CHARS)), from);
        List<String> values = new ArrayList<>();
        LenientJson.Token token = json.next();
        while (token != LenientJson.Token.END && json.depth() > 0) {
            if (token == LenientJson.Token.KEY && json.depth() == 1) {
                values = members.getOrDefault(json.value(), new ArrayList<>());
                members.put(json.value(), values);
            } else if (token == LenientJson.Token.STRING && json.depth() <= 2) {
                values.add(json.value());
            }
            token = json.next();
        }
        members.values().removeAll(Set.of(List.of()));
        return json.depth() == 0 ? members : Map.of();
    }
}
