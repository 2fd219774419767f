package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private static final List<String> COMMAND_KEYS = List.of("command", "cmd", "script", "commands");
    private static final List<String> OPERATION_KEYS =
            List.of("action", "operation", "method", "subcommand", "sub_command", "verb");

    private static final List<String> URL_KEYS = List.of("url", "uri", "endpoint", "base_url");

    private final String json;
    private int at;

    private JsonCall(String json) {
        this.json = json.length() > MAX_CHARS ? json.substring(0, MAX_CHARS) : json;
    }

    /** The call, or null if the action is not a JSON object. */
    static CommandLine.@Nullable Call of(String tool, String action) {
        Map<String, List<String>> members = members(action);
        if (members.isEmpty()) {
            return null;
        }
        List<String> command = command(tool, members);
        if (command != null) {
            return command.size() == 1 ? CommandLine.parse(command.get(0)) : CommandLine.parse(command);
        }
        String service = service(members);
        String operation = operation(members);
        return new CommandLine.Call(
                tool,
                service.isEmpty() ? operation : operation + '-' + service,
                operands(members),
                List.of(),
                null);
    }

    /** The shell line that the call runs, or null if it runs none. */
    static @Nullable String script(String tool, String action) {
        List<String> command = ToolTable.listed("runner", tool) ? command(tool, members(action)) : null;
        return command == null || command.size() != 1 ? null : command.get(0);
    }

    private static @Nullable List<String> command(String tool, Map<String, List<String>> members) {
        for (String key : COMMAND_KEYS) {
            if (members.containsKey(key) && ToolTable.listed("runner", tool)) {
                return members.get(key);
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

    private static Map<String, List<String>> members(String action) {
        return action.stripLeading().startsWith("{") ? new JsonCall(action).members() : Map.of();
    }

    /** The members that have a string or an array of strings; empty if the object does not end. */
    private Map<String, List<String>> members() {
        Map<String, List<String>> members = new LinkedHashMap<>();
        int depth = 0;
        @Nullable String key = null;
        List<String> values = new ArrayList<>();
        for (; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c == '"') {
                String text = string();
                if (depth == 1 && key == null) {
                    key = text;
                } else if (depth == 1 || depth == 2) {
                    values.add(text);
                }
            }
            depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
            if (key != null && (depth == 1 && c == ',' || depth == 0)) {
                if (!values.isEmpty()) {
                    members.putIfAbsent(key, values);
                }
                key = null;
                values = new ArrayList<>();
            }
        }
        return depth == 0 ? members : Map.of();
    }

    /** The string that begins here. Moves to its closing quote. */
    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; at < json.length() && json.charAt(at) != '"'; at++) {
            char c = json.charAt(at);
            if (c == '\\' && at + 1 < json.length()) {
                at++;
                c = escaped(json.charAt(at));
            }
            out.append(c);
        }
        return out.toString();
    }

    private char escaped(char c) {
        if (c == 'u' && at + 4 < json.length()) {
            int value = 0;
            for (int i = 0; i < 4; i++) {
                value = value * 16 + Math.max(0, Character.digit(json.charAt(++at), 16));
            }
            return (char) value;
        }
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b', 'f' -> ' ';
            default -> c;
        };
    }
}
