package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The commands of a shell line without the wrappers and variables before them. */
final class ShellCommands {
    private static final int MAX_DEPTH = 3;
    private static final LiteralPattern INSTALLED = new LiteralPattern(".*(?:/\\.|vendor/|venv/|env/)bin/");

    private ShellCommands() {}

    /** A command's words, of which the first is a tool, and the last wrapper before it. */
    record Command(List<String> words, @Nullable String wrapper) {
        String tool() {
            return words.isEmpty() ? CommandLine.NO_TOOL : ToolTable.canonical(words.get(0));
        }

        Command named(String tool) {
            List<String> named = new ArrayList<>(words);
            named.set(0, tool);
            return new Command(named, wrapper);
        }
    }

    /**
     * A command of a line.
     *
     * @param isQuiet whether a chain is not about it
     * @param reads whether it reads the output of the command before it
     */
    record Part(Command command, boolean isQuiet, boolean reads) {}

    /** The commands of a line without what is before them; the script of {@code sh -c} is entered. */
    static List<Part> parts(String line, String tool, int depth) {
        List<Part> parts = new ArrayList<>();
        for (ShellSteps.Step step : ShellSteps.of(line).steps) {
            add(parts, unwrap(step.words, tool, MAX_DEPTH), step.reads, tool, depth);
        }
        return parts;
    }

    private static void add(List<Part> parts, Command command, boolean reads, String tool, int depth) {
        String name = command.tool();
        int script = depth >= MAX_DEPTH || name.equals(tool) ? -1 : script(command.words);
        List<Part> inner = script < 0 ? List.of() : parts(command.words.get(script), tool, depth + 1);
        for (Part part : inner) {
            Command bare = part.command;
            parts.add(new Part(
                    new Command(bare.words, bare.wrapper == null ? name : bare.wrapper),
                    part.isQuiet,
                    part.reads || reads));
        }
        if (inner.isEmpty() && !command.words.isEmpty()) {
            parts.add(new Part(command, ToolTable.listed("quiet", name), reads));
        }
    }

    /** The command after the wrappers; stops at the given tool. */
    static Command unwrap(List<String> words, String tool, int depth) {
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
                List<Part> parts = new ArrayList<>();
                add(parts, new Command(words.subList(i, words.size()), wrapper), false, tool, depth);
                return FailedCommand.last(parts);
            } else {
                i += name.equals("python") && runsModule(words, i, tool) ? 2 : 0;
                break;
            }
        }
        return new Command(words.subList(Math.min(i, words.size()), words.size()), wrapper);
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

    /**
     * The command of the interpreter if a launcher such as {@code uv run} starts it or a script; else the same command,
     * also for {@code python -m tool}.
     */
    static Command program(Command command) {
        List<String> words = command.words;
        String launcher = command.tool();
        String runtime = ToolTable.runtime(launcher);
        if (runtime.isEmpty()) {
            return command;
        }
        int i = OperationParser.skipFlags(launcher, words, 1);
        i = i < words.size() && CommandLine.LAUNCHING.contains(words.get(i))
                ? OperationParser.skipFlags(launcher, words, i + 1)
                : i;
        if (i >= words.size() || runsModule(words, i, "")) {
            return command;
        }
        boolean script = ToolTable.isScript(runtime, words.get(i));
        if (!script && !ToolTable.canonical(words.get(i)).equals(runtime)) {
            return command;
        }
        List<String> run = new ArrayList<>(words.subList(script ? i - 1 : i, words.size()));
        run.set(0, runtime);
        return new Command(run, launcher);
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
    /** Whether the program is a file of the project, whose name tells nothing. */
    static boolean isScript(Command command) {
        String path = command.words.isEmpty() ? "" : command.words.get(0);
        boolean installed = path.startsWith("/usr/") || path.startsWith("/opt/") || path.startsWith("/bin/");
        return path.indexOf('/') >= 0
                && !installed
                && !INSTALLED.matcher(path).lookingAt()
                && !ToolTable.isKnown(ToolTable.canonical(path));
    }

    /** Whether the words are a sentence, not a command. */
    static boolean isProse(List<String> words) {
        int stops = 0;
        for (String word : words) {
            for (int i = 0; i < word.length(); i++) {
                char c = word.charAt(i);
                if (!Character.isLetter(c) && (i == 0 || ",.:'".indexOf(c) < 0)) {
                    return false;
                }
            }
            stops += WordTables.stop(word.toLowerCase(Locale.ROOT)) ? 1 : 0;
        }
        return words.size() >= 4
                && stops >= 2
                && (Character.isUpperCase(words.get(0).charAt(0)) || !ToolTable.isKnown(words.get(0)));
    }
}
