package dev.xmem.core.text.hash;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables of {@code tools.txt}: what tools are called and where their operations stand. */
final class ToolTable {
    private static final int MAX_CHARS = 200;
    private static final Map<String, String> RENAMED = new HashMap<>();
    private static final Map<String, Set<String>> VALUE_FLAGS = new HashMap<>();
    private static final Map<String, Set<String>> WRAPPERS = new HashMap<>();
    private static final Map<String, Set<String>> GROUPS = new HashMap<>();
    private static final Map<String, Map<String, String>> ALIASES = new HashMap<>();
    private static final Map<String, Map<String, String>> FLAG_OPERATIONS = new HashMap<>();
    private static final Map<String, String> PHASES = new HashMap<>();
    private static final Map<String, Set<String>> BUILDS = new HashMap<>();
    private static final Map<String, Set<String>> LISTS = new HashMap<>();

    static {
        for (String line : RuleFile.lines("tools.txt")) {
            read(line);
        }
    }

    private ToolTable() {}

    /** The tool's canonical name: base name, without {@code .exe} and version, in lower case. */
    static String canonical(String given) {
        String tool = given.length() > MAX_CHARS ? given.substring(0, MAX_CHARS) : given;
        int slash = Math.max(tool.lastIndexOf('/'), tool.lastIndexOf('\\'));
        String name = tool.substring(slash + 1).toLowerCase(Locale.ROOT).strip();
        for (String suffix : List.of(".exe", ".cmd", ".bat")) {
            if (name.endsWith(suffix)) {
                name = name.substring(0, name.length() - suffix.length());
            }
        }
        name = RENAMED.getOrDefault(name, name);
        return withoutVersion(name);
    }

    static boolean hasOperations(String tool) {
        return VALUE_FLAGS.containsKey(tool);
    }

    /** Whether the global flag of a tool is followed by its value. */
    static boolean takesValue(String tool, String flag) {
        return VALUE_FLAGS.getOrDefault(tool, Set.of()).contains(flag);
    }

    static boolean isWrapper(String name) {
        return WRAPPERS.containsKey(name);
    }

    static Set<String> wrapperFlags(String wrapper) {
        return WRAPPERS.getOrDefault(wrapper, Set.of());
    }

    static boolean isGroup(String tool, String operation) {
        return GROUPS.getOrDefault(tool, Set.of()).contains(operation);
    }

    static String alias(String tool, String operation) {
        return ALIASES.getOrDefault(tool, Map.of()).getOrDefault(operation, operation);
    }

    /** The operation that a flag makes of a sub-command, or null. */
    static @Nullable String flagOperation(String tool, String operation, String flag) {
        return FLAG_OPERATIONS.getOrDefault(tool + ' ' + operation, Map.of()).get(flag);
    }

    /** The one operation of a tool whose sub-commands are phases, or null. */
    static @Nullable String phase(String tool) {
        return PHASES.get(tool);
    }

    /** Whether the operation compiles before it does what it is called. */
    static boolean builds(String tool, String operation) {
        return BUILDS.getOrDefault(tool, Set.of()).contains(operation);
    }

    /** Whether a word is in one of the plain lists: quiet, runner, shell, plain, verbs, command-keys, operation-keys. */
    static boolean listed(String list, String word) {
        return LISTS.getOrDefault(list, Set.of()).contains(word);
    }

    private static String withoutVersion(String name) {
        int end = name.length();
        while (end > 0
                && (CharClasses.isDigit(name.charAt(end - 1))
                        || name.charAt(end - 1) == '.'
                        || name.charAt(end - 1) == '-')) {
            end--;
        }
        if (end == name.length() || end == 0) {
            return name;
        }
        String base = name.substring(0, end);
        String renamed = RENAMED.getOrDefault(base, base);
        return listed("versioned", renamed) ? renamed : name;
    }

    private static void read(String line) {
        int colon = line.indexOf(" :");
        String[] head = line.substring(0, colon).split(" ", -1);
        String[] items = line.substring(colon + 2).trim().split(" ", -1);
        if (head[0].equals("flag")) {
            putPairs(FLAG_OPERATIONS, head[1] + ' ' + head[2], items);
        } else if (head.length == 1) {
            addAll(LISTS, head[0], items);
        }
        for (int i = 1; i < head.length; i++) {
            read(head[0], head[i], items);
        }
    }

    /** What a line says of one of its tools. */
    private static void read(String kind, String tool, String[] items) {
        switch (kind) {
            case "rename" -> RENAMED.put(tool, items[0]);
            case "operations" -> addAll(VALUE_FLAGS, tool, items);
            case "wrapper" -> addAll(WRAPPERS, tool, items);
            case "two" -> addAll(GROUPS, tool, items);
            case "alias" -> putPairs(ALIASES, tool, items);
            case "phases" -> PHASES.put(tool, items[0]);
            case "builds" -> addAll(BUILDS, tool, items);
            default -> {} // flag: a tool and its operation, see above
        }
    }

    private static void addAll(Map<String, Set<String>> map, String key, String[] items) {
        Set<String> set = map.getOrDefault(key, new HashSet<>());
        map.put(key, set);
        for (String item : items) {
            if (!item.isEmpty()) {
                set.add(item);
            }
        }
    }

    private static void putPairs(Map<String, Map<String, String>> map, String key, String[] pairs) {
        Map<String, String> entries = map.getOrDefault(key, new HashMap<>());
        map.put(key, entries);
        for (String pair : pairs) {
            int sign = pair.lastIndexOf('=');
            entries.put(pair.substring(0, sign), pair.substring(sign + 1));
        }
    }
}
