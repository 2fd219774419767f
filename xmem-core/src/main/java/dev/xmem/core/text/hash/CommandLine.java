package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which tool a call is of, and which operation of it. Looks through what stands before the real command ({@code sudo},
 * {@code env A=b}, {@code timeout 30}, {@code bash -c '…'}, {@code cd x &&}) and takes the part of a chain that matters. Stateless
 * and total: any text is a call of something.
 */
public final class CommandLine {
    private static final int MAX_DEPTH = 3;
    private static final String NO_TOOL = "shell";

    private CommandLine() {}

    /** A call as its tool and what the tool was told. Immutable and thread-safe. */
    public static final class Call {
        private final String tool;
        private final String operation;
        private final List<String> operands;
        private final List<String> words;
        private final @Nullable String wrapper;

        Call(String tool, String operation, List<String> operands, List<String> words, @Nullable String wrapper) {
            this.tool = tool;
            this.operation = operation;
            this.operands = List.copyOf(operands);
            this.words = List.copyOf(words);
            this.wrapper = wrapper;
        }

        /** The tool's canonical name. */
        public String tool() {
            return tool;
        }

        /** The operation, such as {@code push} or {@code compose-up}; {@code run} where the tool has no operations, empty without a call. */
        public String operation() {
            return operation;
        }

        /** The words after the tool's name, joined by blanks. */
        public String action() {
            return String.join(" ", words);
        }

        /** The words after the tool's name; none where the arguments are JSON. */
        public List<String> words() {
            return words;
        }

        /** The words after the operation. */
        List<String> operands() {
            return operands;
        }

        /** The wrapper that was looked through last, or null. */
        @Nullable String wrapper() {
            return wrapper;
        }
    }

    /** The call that an argument list is. */
    public static Call parse(List<String> argv) {
        Objects.requireNonNull(argv, "argv");
        return call(unwrap(List.copyOf(argv), "", 0));
    }

    /** The call that a shell line is about: in a chain the last command that is not quiet, such as {@code cd}. */
    public static Call parse(String shellLine) {
        Objects.requireNonNull(shellLine, "shellLine");
        return call(pick(shellLine, 0));
    }

    /** The call of a tool whose name is known; the action may be a whole shell line, or JSON arguments. */
    public static Call of(String tool, String action) {
        return of(tool, action, "");
    }

    /** The command whose exit code is that of the whole call: the last one of a chain or a pipe. */
    public static Call ending(String tool, String action) {
        String name = ToolTable.canonical(tool);
        String line = JsonCall.script(name, action);
        List<List<String>> commands =
                ShellTokenizer.of(line == null ? action : line).commands();
        if (line == null && commands.size() <= 1) {
            return of(tool, action, "");
        }
        return commands.isEmpty() ? of(tool, action, "") : call(unwrap(commands.get(commands.size() - 1), "", 0));
    }

    /**
     * The call of a tool whose name is known. The action may be a whole shell line, begin with the tool's name or without it.
     * Where a chain calls the tool several times, the part is taken whose operand the error names, else the last.
     */
    static Call of(String tool, String action, String error) {
        String name = ToolTable.canonical(tool);
        if (action.isBlank()) {
            return new Call(name, "", List.of(), List.of(), null);
        }
        if (action.stripLeading().startsWith("{")) {
            Call json = JsonCall.of(name, action);
            if (json != null) {
                return json;
            }
        }
        Command found = find(name, action, error);
        boolean looksThrough = found.words.isEmpty() || !found.words.get(0).equals(name);
        return looksThrough && !found.words.isEmpty() ? call(found) : operation(name, found);
    }

    /** Words whose first is a tool, and the last wrapper in front of it. */
    private record Command(List<String> words, @Nullable String wrapper) {
        String tool() {
            return words.isEmpty() ? NO_TOOL : ToolTable.canonical(words.get(0));
        }
    }

    private static Call call(Command command) {
        return command.words.isEmpty()
                ? new Call(NO_TOOL, "", List.of(), List.of(), command.wrapper)
                : operation(command.tool(), command);
    }

    private static Call operation(String tool, Command command) {
        List<String> rest = command.words.subList(Math.min(1, command.words.size()), command.words.size());
        OperationParser.Operation operation = OperationParser.of(tool, rest);
        return new Call(tool, operation.name(), operation.operands(), rest, command.wrapper);
    }

    private static Command find(String tool, String action, String error) {
        List<Command> hits = new ArrayList<>();
        ShellTokenizer shell = ShellTokenizer.of(action);
        for (List<String> words : shell.commands()) {
            Command command = unwrap(words, tool, 0);
            if (command.tool().equals(tool)) {
                hits.add(named(tool, command));
            }
        }
        if (!hits.isEmpty()) {
            return hits.size() > 1 ? namedBy(error, hits) : hits.get(0);
        }
        return wrapperOrBare(tool, shell);
    }

    private static Command named(String tool, Command command) {
        List<String> words = new ArrayList<>(command.words);
        words.set(0, tool);
        return new Command(words, command.wrapper);
    }

    private static Command namedBy(String error, List<Command> hits) {
        String head = error.length() > 2_000 ? error.substring(0, 2_000) : error;
        for (Command hit : hits) {
            for (String word : hit.words.subList(Math.min(2, hit.words.size()), hit.words.size())) {
                if (word.length() > 3 && word.charAt(0) != '-' && head.contains(word)) {
                    return hit;
                }
            }
        }
        return hits.get(hits.size() - 1);
    }

    /** The action does not name the tool: the tool may be a wrapper or a word in the line, or the name was left out. */
    private static Command wrapperOrBare(String tool, ShellTokenizer shell) {
        for (List<String> words : shell.commands()) {
            for (int i = 1; i < words.size(); i++) {
                if (ToolTable.canonical(words.get(i)).equals(tool)) {
                    return named(tool, new Command(words.subList(i, words.size()), null));
                }
            }
        }
        List<String> words = new ArrayList<>();
        words.add(tool);
        words.addAll(last(shell));
        boolean through = ToolTable.isWrapper(tool) || ToolTable.listed("shells", tool);
        if (through) {
            Command inner = unwrap(words, "", 0);
            return inner.words.isEmpty() ? new Command(words, null) : inner;
        }
        return new Command(words, null);
    }

    private static Command pick(String line, int depth) {
        ShellTokenizer shell = ShellTokenizer.of(line);
        return unwrap(last(shell), "", depth);
    }

    /** The last command that is neither quiet nor reads from a pipe; else the last. */
    private static List<String> last(ShellTokenizer shell) {
        List<String> best = List.of();
        List<String> piped = List.of();
        for (int i = 0; i < shell.commands().size(); i++) {
            List<String> words = shell.commands().get(i);
            boolean quiet = ToolTable.listed("quiet", ToolTable.canonical(words.get(0)));
            if (!quiet && !shell.isPiped(i)) {
                best = words;
            } else if (!quiet || piped.isEmpty()) {
                piped = words;
            }
        }
        return best.isEmpty() ? piped : best;
    }

    /** The command behind wrappers; stops at the tool that is looked for. */
    private static Command unwrap(List<String> words, String tool, int depth) {
        @Nullable String wrapper = null;
        int i = 0;
        while (i < words.size()) {
            String name = ToolTable.canonical(words.get(i));
            if (name.equals(tool)) {
                break;
            }
            if (isAssignment(words.get(i)) && i + 1 < words.size()) {
                i++;
            } else if (ToolTable.isWrapper(name)) {
                int behind = behindWrapper(words, i, name);
                if (behind >= words.size()) {
                    break;
                }
                wrapper = name;
                i = behind;
            } else if (script(words, i) >= 0 && depth < MAX_DEPTH) {
                Command inner = inScript(words.get(script(words, i)), tool, depth);
                return inner.words.isEmpty() ? new Command(words.subList(i, words.size()), wrapper) : inner;
            } else {
                i += moduleOf(words, i, tool);
                break;
            }
        }
        return new Command(words.subList(Math.min(i, words.size()), words.size()), wrapper);
    }

    private static Command inScript(String script, String tool, int depth) {
        if (!tool.isEmpty()) {
            for (List<String> words : ShellTokenizer.of(script).commands()) {
                Command command = unwrap(words, tool, depth + 1);
                if (command.tool().equals(tool)) {
                    return command;
                }
            }
        }
        return pick(script, depth + 1);
    }

    /** The index of the script of {@code sh -c}, or -1. */
    private static int script(List<String> words, int shell) {
        if (!ToolTable.listed("shells", ToolTable.canonical(words.get(shell)))) {
            return -1;
        }
        for (int i = shell + 1; i + 1 < words.size() && i <= shell + 3; i++) {
            String word = words.get(i);
            if (word.length() > 1 && word.charAt(0) == '-' && word.charAt(1) != '-' && word.endsWith("c")) {
                return i + 1;
            }
        }
        return -1;
    }

    /** Two for {@code python -m tool}, else none. */
    private static int moduleOf(List<String> words, int at, String tool) {
        if (at + 2 >= words.size()
                || !words.get(at + 1).equals("-m")
                || !ToolTable.canonical(words.get(at)).equals("python")) {
            return 0;
        }
        String module = ToolTable.canonical(words.get(at + 2));
        boolean known = tool.isEmpty()
                ? ToolTable.hasOperations(module) || ToolTable.listed("plain", module)
                : module.equals(tool);
        return known ? 2 : 0;
    }

    private static int behindWrapper(List<String> words, int at, String wrapper) {
        int i = at + 1;
        while (i < words.size() && (words.get(i).startsWith("-") || isAssignment(words.get(i)))) {
            i += ToolTable.wrapperFlags(wrapper).contains(words.get(i)) ? 2 : 1;
        }
        return i + (ToolTable.wrapperFlags(wrapper).contains("+1") ? 1 : 0);
    }

    private static boolean isAssignment(String word) {
        int sign = word.indexOf('=');
        for (int i = 0; i < sign; i++) {
            char c = word.charAt(i);
            boolean name = c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && CharClasses.isDigit(c);
            if (!name) {
                return false;
            }
        }
        return sign > 0;
    }
}
