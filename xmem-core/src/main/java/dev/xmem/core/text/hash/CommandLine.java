package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a call into its tool and operation. Skips the words before the real command ({@code sudo}, {@code env A=b},
 * {@code timeout 30}, {@code bash -c '…'}, {@code cd x &&}) and selects one command of a chain. Stateless and total:
 * any text is a call of some tool.
 */
public final class CommandLine {
    private static final int MAX_DEPTH = 3;
    private static final int MAX_ERROR_CHARS = 2_000;
    private static final String NO_TOOL = "shell";
    /** What tells versions and wrapper scripts of a tool apart. */
    private static final Pattern VERSION = Pattern.compile("(?<=\\p{L}{2})(?:[\\d.]+|w)$");

    /** Operations that run what follows. */
    private static final Set<String> LAUNCHING = Set.of("run", "exec");

    private CommandLine() {}

    /**
     * A call as its tool and arguments. Immutable and thread-safe.
     *
     * @param tool the canonical name of the tool
     * @param operation the operation, such as {@code push} or {@code compose-up}; {@code run} if the tool has no
     *     operations, empty if there is no command
     * @param operands the words after the operation
     * @param words the words after the tool's name; empty if the arguments are JSON
     * @param wrapper the last wrapper that was skipped, or null
     */
    public record Call(
            String tool,
            String operation,
            List<String> operands,
            List<String> words,
            @Nullable String wrapper) {
        public Call {
            operands = List.copyOf(operands);
            words = List.copyOf(words);
        }

        /** Whether the call is a request to a URL with JSON arguments. */
        boolean isRequest() {
            return words.isEmpty()
                    && !ToolTable.isBrowser(tool)
                    && operands.stream().anyMatch(operand -> operand.contains("://"));
        }
    }

    /**
     * Whether the output of a command is in the output of the whole line.
     *
     * @param isHidden whether it goes to a file, or through a filter that may drop an error
     * @param lines the number of lines at most, if the rest is cut off
     */
    public record Visibility(boolean isHidden, int lines) {
        Visibility and(Visibility other) {
            return new Visibility(isHidden || other.isHidden, Math.min(lines, other.lines));
        }
    }

    /**
     * A command of a shell line that does the work, as opposed to those that prepare it or read its output. Immutable.
     *
     * @param words the program and its arguments without their quotes, and without options for the amount of output
     * @param written the same words, with quotes where they change what the shell passes to the program
     * @param setup what comes before it and can change its result: other steps, wrappers, variables, its input
     * @param exits whether exit code 0 of the line means that the command exited with 0
     * @param exitText a text in the output that has the command's exit code in the place of {@code $?}; or null
     * @param successText a text in the output if the command succeeded; null if the line prints none
     * @param failureText a text in the output if the command failed; null if the line prints none
     */
    public record Work(
            Call call,
            List<String> words,
            List<String> written,
            List<String> setup,
            boolean exits,
            Visibility output,
            @Nullable String exitText,
            @Nullable String successText,
            @Nullable String failureText) {
        public Work {
            words = List.copyOf(words);
            written = List.copyOf(written);
            setup = List.copyOf(setup);
        }

        /**
         * Whether this command is the same operation of the same tool as another: also of another version of the tool
         * ({@code python3} for {@code python}, {@code ./gradlew} for {@code gradle}), or started by a launcher
         * ({@code bundle exec}, {@code bun run}).
         */
        public boolean isLike(Work other) {
            boolean runs =
                    LAUNCHING.contains(call.operation) && tail(tail(words)).equals(tail(other.words));
            int launcher = words.size() - other.words.size();
            return sameTool(call.tool, other.call.tool) && call.operation.equals(other.call.operation)
                    || launcher > 0
                            && !ToolTable.listed("printers", call.tool)
                            && words.subList(launcher, words.size()).equals(other.words)
                    || sameTool(call.tool, other.call.tool)
                            && (runs || tail(words).equals(tail(other.words)));
        }

        private static boolean sameTool(String first, String second) {
            return VERSION.matcher(first)
                    .replaceFirst("")
                    .equals(VERSION.matcher(second).replaceFirst(""));
        }

        private static List<String> tail(List<String> words) {
            return words.subList(Math.min(1, words.size()), words.size());
        }

        /** The setup and the words as they are written. */
        public List<String> all() {
            List<String> all = new ArrayList<>(setup);
            all.addAll(written);
            return all;
        }

        Work within(List<String> setup, boolean exits, Visibility outer) {
            return new Work(
                    call,
                    words,
                    written,
                    setup,
                    this.exits && exits,
                    output.and(outer),
                    exitText,
                    successText,
                    failureText);
        }
    }

    /** The shell line that a call with JSON arguments runs; null if it runs none. */
    public static @Nullable String script(String tool, String action) {
        return JsonCall.script(ToolTable.canonical(tool), action);
    }

    /** The commands of a call that do the work, in order; empty if the call has JSON arguments and runs no command. */
    public static List<Work> works(String tool, String action) {
        String name = ToolTable.canonical(tool);
        String script = script(tool, action);
        if (script == null && action.stripLeading().startsWith("{")) {
            return List.of();
        }
        String line = script == null ? action : script;
        List<Work> works = ShellScript.works(line);
        boolean whole = script != null || works.stream().anyMatch(work -> work.call.tool.equals(name));
        return whole ? works : ShellScript.works(isWhole(tool, action) ? action : tool + ' ' + action);
    }

    /**
     * Whether the second call does the same work as the first: the two differ at most in what reads the output, in the
     * amount of output, and in the form.
     */
    public static boolean isSameWork(String tool, String first, String second) {
        List<Work> before = works(tool, first);
        if (before.isEmpty()) {
            return first.equals(second);
        }
        Work work = before.get(before.size() - 1);
        return works(tool, second).stream()
                .anyMatch(other -> work.isLike(other) && sorted(work.all()).equals(sorted(other.all())));
    }

    private static List<String> sorted(List<String> words) {
        return words.stream().sorted().toList();
    }

    /** Whether an action that does not call the tool as a command is a whole line all the same. */
    private static boolean isWhole(String tool, String action) {
        return ToolTable.listed("keywords", tool)
                || tool.equals(NO_TOOL)
                || mentions(ToolTable.canonical(tool), action);
    }

    /** Whether a line has several commands and one of them names the tool, or a command that is the tool. */
    private static boolean mentions(String name, String action) {
        List<List<String>> commands = ShellTokenizer.of(action).commands();
        return commands.stream()
                .anyMatch(words -> commands.size() > 1
                                && words.stream()
                                        .anyMatch(word ->
                                                ToolTable.canonical(word).equals(name))
                        || withoutPrefix(words).tool().equals(name));
    }

    /** Parses an argument list. */
    static Call parse(List<String> argv) {
        return call(unwrap(List.copyOf(argv), "", 0));
    }

    /** Parses a shell line. Of a chain it selects the last command that is not quiet; {@code cd} is quiet. */
    static Call parse(String shellLine) {
        return call(pick(Objects.requireNonNull(shellLine, "shellLine"), 0));
    }

    /** The call of a tool whose name is known. The action may be a whole shell line, or JSON arguments. */
    public static Call of(String tool, String action) {
        return of(tool, action, "");
    }

    /** The command whose exit code is the exit code of the whole call: the last one of a chain or a pipe. */
    public static Call ending(String tool, String action) {
        String line = JsonCall.script(ToolTable.canonical(tool), action);
        List<List<String>> commands =
                ShellTokenizer.of(line == null ? action : line).commands();
        return commands.isEmpty() || line == null && commands.size() == 1
                ? of(tool, action, "")
                : call(unwrap(commands.get(commands.size() - 1), "", 0));
    }

    /**
     * The call of a tool whose name is known. The action may be a whole shell line, and may begin with the tool's name.
     * Of a chain that calls the tool several times it selects the command whose operand the error names, else the last
     * one.
     */
    static Call of(String tool, String action, String error) {
        String name = ToolTable.canonical(tool);
        if (action.isBlank()) {
            return new Call(name, "", List.of(), List.of(), null);
        }
        Call json = JsonCall.of(name, action);
        if (json != null || ToolTable.listed("launchers", name)) {
            return json == null ? parse(action) : json;
        }
        Command command = find(name, action, error);
        return command.words.isEmpty() || command.words.get(0).equals(name) ? operation(name, command) : call(command);
    }

    /** A command's words, of which the first is a tool, and the last wrapper before it. */
    record Command(List<String> words, @Nullable String wrapper) {
        String tool() {
            return words.isEmpty() ? NO_TOOL : ToolTable.canonical(words.get(0));
        }

        Command named(String tool) {
            List<String> named = new ArrayList<>(words);
            named.set(0, tool);
            return new Command(named, wrapper);
        }
    }

    static Call call(Command command) {
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
        ShellTokenizer shell = ShellTokenizer.of(action);
        List<Command> hits = new ArrayList<>();
        for (List<String> words : shell.commands()) {
            Command command = unwrap(words, tool, 0);
            if (command.tool().equals(tool)) {
                hits.add(command.named(tool));
            }
        }
        return hits.isEmpty() ? wrapperOrBare(tool, shell) : hits.size() == 1 ? hits.get(0) : namedBy(error, hits);
    }

    private static Command namedBy(String error, List<Command> hits) {
        String head = error.substring(0, Math.min(error.length(), MAX_ERROR_CHARS));
        for (Command hit : hits) {
            for (String word : hit.words.subList(Math.min(2, hit.words.size()), hit.words.size())) {
                if (word.length() > 3 && word.charAt(0) != '-' && head.contains(word)) {
                    return hit;
                }
            }
        }
        return hits.get(hits.size() - 1);
    }

    /** No command is the tool: the tool is a later word of a command, a wrapper, or left out of the action. */
    private static Command wrapperOrBare(String tool, ShellTokenizer shell) {
        for (List<String> words : shell.commands()) {
            for (int i = 1; i < words.size(); i++) {
                if (ToolTable.canonical(words.get(i)).equals(tool)) {
                    return new Command(words.subList(i, words.size()), null).named(tool);
                }
            }
        }
        List<String> words = new ArrayList<>(List.of(tool));
        words.addAll(last(shell));
        Command whole = new Command(words, null);
        boolean wraps = ToolTable.isWrapper(tool) || ToolTable.listed("shells", tool);
        Command inner = wraps ? unwrap(words, "", 0) : whole;
        return inner.words.isEmpty() ? whole : inner;
    }

    private static Command pick(String line, int depth) {
        return unwrap(last(ShellTokenizer.of(line)), "", depth);
    }

    /**
     * The last command that is not quiet and does not read from a pipe; else the last that is not quiet, else the
     * first.
     */
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

    /** The command after the wrappers; stops at the given tool. */
    private static Command unwrap(List<String> words, String tool, int depth) {
        @Nullable String wrapper = null;
        int i = 0;
        while (i < words.size()) {
            String name = ToolTable.canonical(words.get(i));
            if (name.equals(tool)) {
                break;
            }
            int script = depth < MAX_DEPTH && ToolTable.listed("shells", name) ? script(words, i) : -1;
            if (isAssignment(words.get(i)) && i + 1 < words.size()) {
                i++;
            } else if (ToolTable.isWrapper(name)) {
                int next = afterWrapper(words, i, name);
                if (next >= words.size()) {
                    break;
                }
                wrapper = name;
                i = next;
            } else if (script >= 0) {
                Command inner = inScript(words.get(script), tool, depth);
                return inner.words.isEmpty()
                        ? new Command(words.subList(i, words.size()), wrapper)
                        : new Command(inner.words, inner.wrapper == null ? name : inner.wrapper);
            } else {
                i += name.equals("python") && runsModule(words, i, tool) ? 2 : 0;
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

    /** The command after the wrappers and variables; a script of {@code sh -c} is not entered. */
    static Command withoutPrefix(List<String> words) {
        return unwrap(words, "", MAX_DEPTH);
    }

    /** The index of the script of {@code sh -c}, or -1. */
    static int script(List<String> words) {
        boolean shell = !words.isEmpty() && ToolTable.listed("shells", ToolTable.canonical(words.get(0)));
        return shell ? script(words, 0) : -1;
    }

    /** The index of the script of {@code sh -c}, or -1. */
    private static int script(List<String> words, int shell) {
        for (int i = shell + 1; i + 1 < words.size() && i <= shell + 3; i++) {
            String word = words.get(i);
            if (word.length() > 1 && word.charAt(0) == '-' && word.charAt(1) != '-' && word.endsWith("c")) {
                return i + 1;
            }
        }
        return -1;
    }

    /** Whether the words are {@code python -m tool}. */
    private static boolean runsModule(List<String> words, int at, String tool) {
        if (at + 2 >= words.size() || !words.get(at + 1).equals("-m")) {
            return false;
        }
        String module = ToolTable.canonical(words.get(at + 2));
        return tool.isEmpty()
                ? ToolTable.hasOperations(module) || ToolTable.listed("plain", module)
                : module.equals(tool);
    }

    private static int afterWrapper(List<String> words, int at, String wrapper) {
        int i = at + 1;
        while (i < words.size() && (words.get(i).startsWith("-") || isAssignment(words.get(i)))) {
            i += ToolTable.wrapperTakesValue(wrapper, words.get(i)) ? 2 : 1;
        }
        return i + (ToolTable.wrapperTakesValue(wrapper, "+1") ? 1 : 0);
    }

    static boolean isAssignment(String word) {
        int sign = word.indexOf('=');
        for (int i = 0; i < sign; i++) {
            char c = word.charAt(i);
            if (c != '_' && !CharClasses.isLetter(c) && !(i > 0 && CharClasses.isDigit(c))) {
                return false;
            }
        }
        return sign > 0;
    }
}
