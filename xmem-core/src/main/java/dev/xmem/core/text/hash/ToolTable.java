package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tables of {@code tools.txt}: names of tools, and the position and names of their operations. */
final class ToolTable {
    private static final int MAX_CHARS = 200;
    private static final List<String> SUFFIXES = List.of(".exe", ".cmd", ".bat");

    /** The lists of each word: a list is a line without a tool. */
    private static final Map<String, List<String>> LISTS = new HashMap<>();

    /** The words of a line by its kind and tool. */
    private static final Map<String, Map<String, Set<String>>> SETS = new HashMap<>();

    private static final Map<String, String> RENAMED = new HashMap<>();
    private static final Map<String, String> RUNTIMES = new HashMap<>();
    private static final Map<String, String> PHASES = new HashMap<>();
    private static final Map<String, Map<String, String>> ALIASES = new HashMap<>();
    private static final Map<String, Map<String, String>> FLAG_OPERATIONS = new HashMap<>();

    static {
        for (String line : RuleFile.lines(ToolTable.class, "tools.txt")) {
            read(line);
        }
    }

    private static final Map<String, Set<String>> OPERATIONS = SETS.getOrDefault("operations", Map.of());
    private static final Map<String, Set<String>> WRAPPERS = SETS.getOrDefault("wrapper", Map.of());

    private ToolTable() {}

    /** The tool's canonical name: base name, without {@code .exe} and version, in lower case. */
    static String canonical(String given) {
        if (isName(given)) {
            return RENAMED.getOrDefault(given, given);
        }
        String tool = given.length() > MAX_CHARS ? given.substring(0, MAX_CHARS) : given;
        int slash = Math.max(tool.lastIndexOf('/'), tool.lastIndexOf('\\'));
        String name = tool.substring(slash + 1).toLowerCase(Locale.ROOT).strip();
        for (int i = 0; i < SUFFIXES.size() && name.indexOf('.') >= 0; i++) {
            String suffix = SUFFIXES.get(i);
            name = name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
        }
        name = RENAMED.getOrDefault(name, name);
        return withoutVersion(name);
    }

    /** Whether the text consists of lower-case letters. */
    private static boolean isName(String text) {
        boolean name = text.length() < MAX_CHARS;
        for (int i = 0; name && i < text.length(); i++) {
            char c = text.charAt(i);
            name = c >= 'a' && c <= 'z';
        }
        return name;
    }

    static boolean hasOperations(String tool) {
        return OPERATIONS.containsKey(tool);
    }

    /** Whether one of the tables names a program. */
    static boolean isKnown(String tool) {
        return hasOperations(tool)
                || isWrapper(tool)
                || PHASES.containsKey(tool)
                || listed("plain", tool)
                || listed("shells", tool)
                || listed("programs", tool);
    }

    static boolean isWrapper(String name) {
        return WRAPPERS.containsKey(name);
    }

    /** Whether a value follows the global flag of a tool, or the flag of a launcher before its program. */
    static boolean takesValue(String tool, String flag) {
        return contains("operations", tool, flag) || contains("runtime-values", tool, flag);
    }

    /** Whether a value follows the flag of a wrapper; {@code +1} asks for an operand before the command. */
    static boolean wrapperTakesValue(String wrapper, String flag) {
        return contains("wrapper", wrapper, flag);
    }

    /** The index of the host on which a command runs the words behind it; 0 if it runs them on none. */
    static int host(List<String> words) {
        String tool = canonical(words.get(0));
        if (!SETS.getOrDefault("remote", Map.of()).containsKey(tool)) {
            return 0;
        }
        int i = 1;
        while (i < words.size() && words.get(i).startsWith("-")) {
            i += contains("remote", tool, words.get(i)) ? 2 : 1;
        }
        return i;
    }

    static boolean isGroup(String tool, String operation) {
        return contains("two", tool, operation);
    }

    static String alias(String tool, String operation) {
        return ALIASES.getOrDefault(tool, Map.of()).getOrDefault(operation, operation);
    }

    /** The operation that a flag selects for a sub-command, or null. */
    static @Nullable String flagOperation(String tool, String operation, String flag) {
        return FLAG_OPERATIONS.getOrDefault(tool + ' ' + operation, Map.of()).get(flag);
    }

    /** The one operation of a tool whose sub-commands are phases, or null. */
    static @Nullable String phase(String tool) {
        return PHASES.get(tool);
    }

    /** The interpreter of the scripts that a launcher such as {@code uv run} starts; empty if it starts none. */
    static String runtime(String launcher) {
        return RUNTIMES.getOrDefault(launcher, "");
    }

    /** Whether the word is a file with a program for an interpreter. */
    static boolean isScript(String interpreter, String word) {
        return contains("scripts", interpreter, word.substring(word.lastIndexOf('.') + 1));
    }

    /** Whether the hashes of a tool keep the operation also if the cause is told: it is in the list, or has phases. */
    static boolean isByOperation(String tool) {
        return listed("by-operation", tool) || PHASES.containsKey(tool);
    }

    /** Whether a word is in a plain list, such as {@code quiet}, {@code runner}, {@code shells} or {@code verbs}. */
    static boolean listed(String list, String word) {
        List<String> lists = LISTS.get(word);
        return lists != null && lists.contains(list);
    }

    /** Whether the tool runs programs of the user. */
    static boolean isOfUser(String tool) {
        return listed("interpreters", tool) || listed("user-programs", tool);
    }

    /** Whether a line begins in a way in which the tool begins its errors, other than with its name. */
    static boolean reports(String tool, String line) {
        for (String start : SETS.getOrDefault("reports", Map.of()).getOrDefault(tool, Set.of())) {
            if (line.startsWith(start)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the name of a tool says that it drives a browser. */
    static boolean isBrowser(String tool) {
        return !Slugs.all(tool, word -> !listed("browsers", word));
    }

    /** Whether a tool of an agent reads the page of any address: the site is a value, not a service. */
    static boolean isReader(String tool) {
        String name = Slugs.kebab(tool);
        return listed("page-readers", name.substring(name.lastIndexOf('-') + 1));
    }

    private static boolean contains(String kind, String tool, String word) {
        return SETS.getOrDefault(kind, Map.of()).getOrDefault(tool, Set.of()).contains(word);
    }

    private static String withoutVersion(String name) {
        int end = name.length();
        while (end > 0 && (CharClasses.isDigit(name.charAt(end - 1)) || ".-".indexOf(name.charAt(end - 1)) >= 0)) {
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
        List<String> head = RuleFile.words(line.substring(0, colon));
        String kind = head.get(0);
        if (head.size() == 1) {
            for (String item : RuleFile.words(line.substring(colon + 2))) {
                List<String> lists = LISTS.get(item);
                if (lists == null) {
                    lists = new ArrayList<>(2);
                    LISTS.put(item, lists);
                }
                lists.add(kind);
            }
            return;
        }
        List<String> items = RuleFile.words(line.substring(colon + 2));
        if (kind.equals("flag")) {
            putPairs(FLAG_OPERATIONS, head.get(1) + ' ' + head.get(2), items);
        } else {
            for (int i = 1; i < head.size(); i++) {
                read(kind, head.get(i), items);
            }
        }
    }

    private static void read(String kind, String tool, List<String> items) {
        switch (kind) {
            case "rename" -> RENAMED.put(tool, items.get(0));
            case "alias" -> putPairs(ALIASES, tool, items);
            case "runtime" -> RUNTIMES.put(tool, items.get(0));
            case "phases" -> PHASES.put(tool, items.get(0));
            default -> addAll(kind, tool, items);
        }
    }

    private static void addAll(String kind, String tool, List<String> items) {
        Map<String, Set<String>> sets = SETS.getOrDefault(kind, new HashMap<>());
        SETS.put(kind, sets);
        Set<String> set = sets.getOrDefault(tool, new HashSet<>());
        sets.put(tool, set);
        for (String item : items) {
            set.add(kind.equals("reports") ? item.replace('_', ' ') : item);
        }
    }

    private static void putPairs(Map<String, Map<String, String>> map, String key, List<String> pairs) {
        Map<String, String> entries = map.getOrDefault(key, new HashMap<>());
        map.put(key, entries);
        for (String pair : pairs) {
            int sign = pair.lastIndexOf('=');
            entries.put(pair.substring(0, sign), pair.substring(sign + 1));
        }
    }
}
