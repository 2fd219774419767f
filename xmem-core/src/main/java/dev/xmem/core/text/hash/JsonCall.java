package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call whose arguments are a JSON object. An agent's shell tool ({@code Bash} with {@code {"command": "…"}}) is the call that its
 * command line is. Another tool's operation is the value of {@code action}, {@code operation}, {@code method} or
 * {@code subcommand} where that is a plain word, else {@code run}.
 *
 * <p>Reads just the strings and arrays of strings of the outermost object, in one pass, and takes anything else for absent.
 */
final class JsonCall {
    private static final int MAX_CHARS = 65_536;

    private final String json;
    private int at;

    private JsonCall(String json) {
        this.json = json.length() > MAX_CHARS ? json.substring(0, MAX_CHARS) : json;
    }

    /** The call, or null where the action is not a JSON object. */
    static CommandLine.@Nullable Call of(String tool, String action) {
        if (!action.stripLeading().startsWith("{")) {
            return null;
        }
        Map<String, List<String>> members = new JsonCall(action).members();
        if (members.isEmpty()) {
            return null;
        }
        List<String> command = command(tool, members);
        if (command != null) {
            return command.size() == 1 ? CommandLine.parse(command.get(0)) : CommandLine.parse(command);
        }
        return new CommandLine.Call(tool, operation(members), operands(members), List.of(), null);
    }

    /** The shell line that a tool was told to run, or null where it was told something else. */
    static @Nullable String script(String tool, String action) {
        if (!ToolTable.listed("runner", tool) || !action.stripLeading().startsWith("{")) {
            return null;
        }
        List<String> command = command(tool, new JsonCall(action).members());
        return command == null || command.size() != 1 ? null : command.get(0);
    }

    private static @Nullable List<String> command(String tool, Map<String, List<String>> members) {
        if (ToolTable.listed("runner", tool)) {
            for (String key : List.of("command", "cmd", "script", "commands")) {
                List<String> words = members.get(key);
                if (words != null) {
                    return words;
                }
            }
        }
        return null;
    }

    private static String operation(Map<String, List<String>> members) {
        for (String key : List.of("action", "operation", "method", "subcommand", "sub_command", "verb")) {
            List<String> value = members.get(key);
            if (value != null && value.size() == 1 && isIdentifier(value.get(0))) {
                return Slugs.kebab(value.get(0));
            }
        }
        return OperationParser.ANY;
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

    private Map<String, List<String>> members() {
        Map<String, List<String>> members = new LinkedHashMap<>();
        int depth = 0;
        @Nullable String key = null;
        List<String> values = new ArrayList<>();
        for (at = 0; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c == '"') {
                String text = string();
                if (depth == 1 && key == null) {
                    key = text;
                } else if (depth == 1 || depth == 2) {
                    values.add(text);
                }
            } else if (c == '{' || c == '[') {
                depth++;
            } else if (c == '}' || c == ']') {
                depth--;
            }
            if (key != null && (depth == 1 && c == ',' || depth == 0)) {
                put(members, key, values);
                key = null;
                values = new ArrayList<>();
            }
        }
        return depth == 0 ? members : Map.of();
    }

    private static void put(Map<String, List<String>> members, String key, List<String> values) {
        if (!values.isEmpty()) {
            members.putIfAbsent(key, values);
        }
    }

    /** The string that begins here; afterwards the position is its closing quote. */
    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        while (at < json.length() && json.charAt(at) != '"') {
            char c = json.charAt(at);
            if (c == '\\' && at + 1 < json.length()) {
                at++;
                out.append(escaped(json.charAt(at)));
            } else {
                out.append(c);
            }
            at++;
        }
        return out.toString();
    }

    private char escaped(char c) {
        if (c == 'u' && at + 4 < json.length()) {
            int value = 0;
            for (int i = 1; i <= 4; i++) {
                value = value * 16 + Math.max(0, Character.digit(json.charAt(at + i), 16));
            }
            at += 4;
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
