package dev.xmem.core.text.hash;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The simple commands of a shell line, and how operators, groups and blocks connect them. */
final class ShellSteps {
    /** A simple command of the line. */
    static final class Step {
        final List<String> words;
        final String tool;
        final String operators;
        private final ShellTokenizer shell;
        final List<String> redirections = new ArrayList<>();
        /** The commands behind it in its pipe. */
        final List<Step> readers = new ArrayList<>();

        boolean reads;
        boolean negated;
        boolean inBlock;
        boolean isCondition;
        boolean isElse;
        boolean errexit;
        boolean pipefail;

        Step(List<String> words, String operators, ShellTokenizer shell) {
            this.words = List.copyOf(words);
            this.tool = ToolTable.canonical(words.get(0));
            this.operators = operators;
            this.shell = shell;
        }

        /** One of the words, with its quotes if they change what the shell passes to the program. */
        String written(String word) {
            return shell.written(word);
        }

        String tool() {
            return tool;
        }

        /** The words, joined by blanks. */
        String line() {
            return String.join(" ", words);
        }

        /** The words after the first one, joined by blanks. */
        String arguments() {
            return String.join(" ", words.subList(1, words.size()));
        }

        /** Whether the command makes its input the arguments of another one, which does the work. */
        boolean works() {
            String worker = ShellCommands.withoutPrefix(words).tool();
            return ToolTable.listed("argument-readers", tool())
                    && !ToolTable.listed("pagers", worker)
                    && !ToolTable.listed("filters", worker);
        }

        boolean isQuiet() {
            return ToolTable.listed("quiet", tool());
        }

        boolean follows(String operator) {
            return operators.contains(operator);
        }

        boolean isPipe() {
            return follows("|") && !follows("||");
        }

        /** Whether it begins a new list of commands. */
        boolean isSequel() {
            return follows(";") && !follows("&&") && !follows("||") || isAfterBackground();
        }

        boolean isAfterBackground() {
            return follows("&") && !follows("&&") && !follows("|");
        }
    }

    private static final LiteralPattern ERREXIT = new LiteralPattern("[-+](?=[^e]*+e)[a-z]++");

    final List<Step> steps = new ArrayList<>();
    private final Set<String> functions = new HashSet<>();
    private final Deque<Integer> groups = new ArrayDeque<>();
    private String pending = "";
    private String end = "";
    private int closedGroup = -1;
    private int blocks;
    private boolean errexit;
    private boolean pipefail;

    private ShellSteps() {}

    /** Parses a line. */
    static ShellSteps of(String line) {
        ShellSteps steps = new ShellSteps();
        steps.read(ShellTokenizer.of(line));
        return steps;
    }

    /** Whether the last list of commands runs in the background. */
    boolean endsInBackground() {
        return end.endsWith("&");
    }

    private void read(ShellTokenizer shell) {
        int size = shell.commands().size();
        for (int i = 0; i < size; i++) {
            List<String> words = new ArrayList<>(shell.commands().get(i));
            String operators =
                    i > 0 && isDefinition(i - 1, shell) ? shell.operators(i).substring(2) : shell.operators(i);
            parentheses(operators);
            pending += operators;
            if (isDefinition(i, shell)) {
                functions.add(words.get(words.size() - 1));
            } else {
                addInput(words, shell.document(i));
                add(words, shell.redirections(i), shell);
            }
        }
        parentheses(shell.operators(size));
        end = pending + shell.operators(size);
    }

    /** Whether the words are the name of a function, whose body follows. */
    private static boolean isDefinition(int at, ShellTokenizer shell) {
        List<String> words = shell.commands().get(at);
        boolean named = words.size() == 1 || words.size() == 2 && words.get(0).equals("function");
        return named && shell.operators(at + 1).startsWith("()");
    }

    /** Adds the script that a shell reads from a here-document, or that {@code eval} gets, as that of {@code sh -c}. */
    private static void addInput(List<String> words, String document) {
        if (words.get(0).equals("eval") && words.size() > 1) {
            String script = String.join(" ", words.subList(1, words.size()));
            words.clear();
            words.addAll(List.of("sh", "-c", script));
        } else if (!document.isBlank()
                && ToolTable.listed("shells", ToolTable.canonical(words.get(words.size() - 1)))) {
            words.addAll(List.of("-c", document));
        }
    }

    private void parentheses(String operators) {
        for (int i = 0; i < operators.length(); i++) {
            if (operators.charAt(i) == '(') {
                groups.push(steps.size());
            } else if (operators.charAt(i) == ')') {
                close(List.of());
            }
        }
    }

    private void close(List<String> redirections) {
        closedGroup = groups.isEmpty() ? steps.size() - 1 : groups.pop();
        for (int i = Math.max(0, closedGroup); i < steps.size(); i++) {
            steps.get(i).redirections.addAll(redirections);
        }
    }

    private void add(List<String> words, List<String> redirections, ShellTokenizer shell) {
        boolean negated = false;
        boolean condition = false;
        boolean otherwise = false;
        while (!words.isEmpty() && ToolTable.listed("keywords", words.get(0))) {
            String keyword = words.remove(0);
            switch (keyword) {
                case "!" -> negated = true;
                case "{" -> groups.push(steps.size());
                case "if", "while", "until" -> {
                    groups.push(steps.size());
                    blocks++;
                    condition = true;
                }
                case "elif" -> condition = true;
                case "else" -> otherwise = true;
                case "for", "case", "select", "function" -> {
                    groups.push(steps.size());
                    blocks++;
                    words.clear();
                }
                case "fi", "done", "esac" -> {
                    blocks = Math.max(0, blocks - 1);
                    close(redirections);
                    pending = "";
                }
                case "}" -> {
                    close(redirections);
                    pending = "";
                }
                default -> {}
            }
        }
        if (words.isEmpty() || functions.contains(words.get(0))) {
            return;
        }
        String substituted = substituted(words);
        List<String> inner = substituted == null ? words : words(substituted, words);
        Step step = new Step(inner, pending, shell);
        step.redirections.addAll(redirections);
        step.negated = negated;
        step.inBlock = blocks > 0;
        step.isCondition = condition;
        step.isElse = otherwise;
        step.errexit = errexit;
        step.pipefail = pipefail;
        if (step.isPipe() && !steps.isEmpty()) {
            pipe(step);
        }
        if (step.tool().equals("set")) {
            set(words);
        }
        steps.add(step);
        pending = "";
        closedGroup = -1;
    }

    /** The script of {@code name=$(script)} or {@code echo "$(script)"}; null if the words are something else. */
    private static @Nullable String substituted(List<String> words) {
        boolean prints = ToolTable.listed("printers", words.get(0));
        String word = words.get(words.size() - 1);
        int from = word.indexOf("$(");
        boolean assigns = words.size() == 1 && from > 0 && ShellCommands.isAssignment(word);
        return from >= 0 && (assigns || prints) && word.endsWith(")") && !word.startsWith("$((", from)
                ? word.substring(from + 2, word.length() - 1)
                : null;
    }

    private static List<String> words(String script, List<String> otherwise) {
        List<List<String>> commands = ShellTokenizer.of(script).commands();
        return commands.isEmpty() ? otherwise : commands.get(0);
    }

    private void pipe(Step reader) {
        reader.reads = !reader.works();
        int from = closedGroup >= 0 ? closedGroup : steps.size() - 1;
        List<Step> sources = steps.subList(from, steps.size());
        for (Step step : steps) {
            boolean upstream = !step.readers.isEmpty() && sources.contains(step.readers.get(step.readers.size() - 1));
            if (upstream || sources.contains(step)) {
                step.readers.add(reader);
            }
        }
    }

    /** Whether an option of {@code set} contains the letter {@code e}. */
    static boolean namesErrexit(CharSequence option) {
        return ERREXIT.matcher(option).matches();
    }

    private void set(List<String> words) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            boolean on = word.startsWith("-");
            if (namesErrexit(word)) {
                errexit = on;
            }
            if (word.matches("[-+][a-z]*o") && i + 1 < words.size()) {
                errexit = words.get(i + 1).equals("errexit") ? on : errexit;
                pipefail = words.get(i + 1).equals("pipefail") ? on : pipefail;
            }
        }
    }
}
