package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.ShellCommands.Command;
import dev.xmem.core.text.hash.ShellCommands.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses a call into its tool and operation. Skips the words before the real command ({@code sudo}, {@code env A=b},
 * {@code timeout 30}, {@code bash -c '…'}, {@code cd x &&}) and selects one command of a chain. Stateless and total:
 * any text is a call of some tool. Decision: docs/adr/0058-bare-calls.md.
 */
public final class CommandLine {
    static final String NO_TOOL = "shell";
    /** What tells versions and wrapper scripts of a tool apart. */
    private static final LiteralPattern VERSION = new LiteralPattern("(?<=\\p{L}{2})(?:[\\d.]+|w)$");

    /** Operations that run what follows. */
    static final Set<String> LAUNCHING = Set.of("run", "exec");

    private CommandLine() {}

    /**
     * A call as its tool and arguments. Immutable and thread-safe.
     *
     * @param tool the canonical name of the tool
     * @param operation the operation, such as {@code push} or {@code compose-up}; {@code run} if the tool has no
     *     operations or the command has no arguments, empty if there is no command
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

        /** The call of the user's program on the JVM that this call of a build tool starts. */
        Call program() {
            return new Call("java", OperationParser.ANY, List.of(), words, wrapper);
        }

        /** Whether the call is a request to a URL with JSON arguments. */
        boolean isRequest() {
            return words.isEmpty()
                    && hasUrl()
                    && !ToolTable.isBrowser(tool)
                    && !ToolTable.listed("interpreters", tool)
                    && !(operation.equals(OperationParser.ANY) && ToolTable.isReader(tool));
        }

        private boolean hasUrl() {
            for (int i = 0; i < operands.size(); i++) {
                if (operands.get(i).contains("://")) {
                    return true;
                }
            }
            return false;
        }

        /** Whether what the call prints is the answer of a service. */
        boolean printsAnswer() {
            return ToolTable.listed("http-clients", tool) || isRequest();
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
        List<ShellSteps.Step> steps = ShellSteps.of(action).steps;
        return steps.stream()
                .anyMatch(step -> steps.size() > 1
                                && step.words.stream()
                                        .anyMatch(word ->
                                                ToolTable.canonical(word).equals(name))
                        || ShellCommands.withoutPrefix(step.words).tool().equals(name));
    }

    /** Parses an argument list. */
    static Call parse(List<String> argv) {
        return call(ShellCommands.unwrap(List.copyOf(argv), "", 0));
    }

    /** Parses a shell line. Of a chain it selects the last command that is not quiet; {@code cd} is quiet. */
    static Call parse(String shellLine) {
        return parse(Objects.requireNonNull(shellLine, "shellLine"), "");
    }

    /** Parses a shell line. Of a chain it selects the command that the error is of. */
    static Call parse(String shellLine, String error) {
        return line(shellLine).select(error);
    }

    /** The calls of a shell line. */
    static Candidates line(String shellLine) {
        return new Candidates(ShellCommands.parts(shellLine, "", 0), null);
    }

    /**
     * The calls of one action, of which an error selects one. What no error changes is parsed once. Not thread-safe.
     */
    static final class Candidates {
        private final List<Part> parts;
        private final @Nullable String tool;
        private @Nullable String error;
        private @Nullable Call selected;

        private Candidates(List<Part> parts, @Nullable String tool) {
            this.parts = parts;
            this.tool = tool;
        }

        /** One call, whatever the error is. */
        Candidates(Call only) {
            this(List.of(), null);
            selected = only;
        }

        /** The call that the error is of. */
        Call select(String text) {
            Call known = selected;
            if (known != null && (error == null || error.equals(text))) {
                return known;
            }
            Command command = FailedCommand.of(parts, text);
            boolean script = tool == null && ShellCommands.isScript(command);
            Call made = call(tool, script ? withProgram(command, text) : command);
            error = script || parts.size() > 1 ? text : null;
            selected = made;
            return made;
        }
    }

    /** The call of a command of a tool, or of a shell line if there is no tool. */
    private static Call call(@Nullable String tool, Command command) {
        if (tool == null) {
            return ShellCommands.isProse(command.words())
                    ? new Call(NO_TOOL, OperationParser.ANY, command.words(), command.words(), command.wrapper())
                    : call(command);
        }
        Command program = ShellCommands.program(command);
        return program.words().isEmpty() || program.words().get(0).equals(tool)
                ? operation(tool, program)
                : call(program);
    }

    /** The program that the error of a script names, or else the shell with the script. */
    private static Command withProgram(Command command, String error) {
        String program = FailedCommand.program(error);
        if (program != null) {
            return new Command(List.of(program), command.wrapper());
        }
        List<String> words = new ArrayList<>(List.of("bash"));
        words.addAll(command.words());
        return new Command(words, command.wrapper());
    }

    /** Whether the action of an agent's shell tool is a whole line, not the arguments of a shell of this name. */
    private static boolean isShellLine(String tool, String action) {
        if (!ToolTable.listed("runner", tool)) {
            return false;
        }
        List<Part> parts = ShellCommands.parts(action, tool, 0);
        String first = parts.isEmpty() ? "-" : parts.get(0).command().words().get(0);
        boolean bare = parts.size() == 1 && (first.startsWith("-") || first.endsWith(".sh"));
        return !bare && parts.stream().noneMatch(part -> part.command().tool().equals(tool));
    }

    /** The call of a tool whose name is known. The action may be a whole shell line, or JSON arguments. */
    public static Call of(String tool, String action) {
        return of(tool, action, "");
    }

    /** The command whose exit code is the exit code of the whole call: the last one of a chain or a pipe. */
    public static Call ending(String tool, String action) {
        String line = JsonCall.script(ToolTable.canonical(tool), action);
        List<ShellSteps.Step> steps = ShellSteps.of(line == null ? action : line).steps;
        return steps.isEmpty() || line == null && steps.size() == 1
                ? of(tool, action, "")
                : call(ShellCommands.unwrap(steps.get(steps.size() - 1).words, "", 0));
    }

    /**
     * The call of a tool whose name is known. The action may be a whole shell line, and may begin with the tool's name.
     * Of a chain that calls the tool several times it selects the command whose operand the error names, else the last
     * one.
     */
    static Call of(String tool, String action, String error) {
        return candidates(tool, action).select(error);
    }

    /** The calls of an action of a tool, see {@link #of(String, String, String)}. */
    static Candidates candidates(String tool, String action) {
        String name = ToolTable.canonical(tool);
        if (action.isBlank()) {
            return new Candidates(
                    name.isEmpty()
                            ? new Call(name, "", List.of(), List.of(), null)
                            : operation(name, new Command(List.of(name), null)));
        }
        boolean structured = action.indexOf('{') >= 0 || action.contains(" http");
        Candidates json = structured ? JsonCall.of(name, action) : null;
        if (json != null) {
            return json;
        }
        return ToolTable.listed("launchers", name) || isShellLine(name, action) ? line(action) : find(name, action);
    }

    static Call call(Command command) {
        Command program = ShellCommands.program(command);
        return command.words().isEmpty()
                ? new Call(NO_TOOL, "", List.of(), List.of(), command.wrapper())
                : operation(program.tool(), program);
    }

    private static Call operation(String tool, Command command) {
        List<String> rest = command.words()
                .subList(Math.min(1, command.words().size()), command.words().size());
        OperationParser.Operation operation = OperationParser.of(tool, rest);
        return new Call(tool, operation.name(), operation.operands(), rest, command.wrapper());
    }

    private static Candidates find(String tool, String action) {
        List<Part> parts = ShellCommands.parts(action, tool, 0);
        List<Part> hits = new ArrayList<>();
        for (Part part : parts) {
            if (part.command().tool().equals(tool)) {
                hits.add(new Part(part.command().named(tool), part.isQuiet(), part.reads()));
            }
        }
        return hits.isEmpty() ? new Candidates(call(tool, wrapperOrBare(tool, parts))) : new Candidates(hits, tool);
    }

    /** No command is the tool: the tool is a later word of a command, a wrapper, or left out of the action. */
    private static Command wrapperOrBare(String tool, List<Part> parts) {
        for (Part part : parts) {
            List<String> words = part.command().words();
            for (int i = 1; i < words.size(); i++) {
                if (ToolTable.canonical(words.get(i)).equals(tool)) {
                    return new Command(words.subList(i, words.size()), null).named(tool);
                }
            }
        }
        List<String> words = new ArrayList<>(List.of(tool));
        words.addAll(FailedCommand.last(parts).words());
        Command whole = new Command(words, null);
        boolean wraps = ToolTable.isWrapper(tool) || ToolTable.listed("shells", tool);
        Command inner = wraps ? ShellCommands.unwrap(words, "", 0) : whole;
        return inner.words().isEmpty() ? whole : inner;
    }
}
