package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CommandLine.Visibility;
import dev.xmem.core.text.hash.CommandLine.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a shell line into the commands that do its work, and into what the exit code and the output of the line say
 * about each of them. A heuristic parser of the common forms, not a shell: it expands nothing and rejects nothing.
 */
final class ShellScript {
    private static final int MAX_DEPTH = 3;
    private static final int HEAD_LINES = 10;
    private static final Pattern LINE_COUNT = Pattern.compile("-(?:n|-lines=)?(\\d{1,6})|\\d{1,6}");
    private static final Pattern NEUTRAL_VARIABLE =
            Pattern.compile("\\w*(?:TRACE|VERBOSE|DEBUG|LOG|COLOR|PAGER|COLUMNS)\\w*=.*", Pattern.DOTALL);

    /** A simple command of the line. */
    private static final class Step {
        final List<String> words;
        final String operators;
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

        Step(List<String> words, String operators) {
            this.words = words;
            this.operators = operators;
        }

        String tool() {
            return ToolTable.canonical(words.get(0));
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

    private final List<Step> steps = new ArrayList<>();
    private final Deque<Integer> groups = new ArrayDeque<>();
    private String pending = "";
    private String end = "";
    private int closedGroup = -1;
    private int blocks;
    private boolean errexit;
    private boolean pipefail;

    private ShellScript() {}

    /** The commands that do the work, in order; empty if the line has no command. */
    static List<Work> works(String line) {
        return works(line, 0);
    }

    private static List<Work> works(String line, int depth) {
        ShellScript script = new ShellScript();
        script.read(ShellTokenizer.structured(line), depth);
        return script.works(depth);
    }

    private void read(ShellTokenizer shell, int depth) {
        int size = shell.commands().size();
        for (int i = 0; i < size; i++) {
            parentheses(shell.operators(i));
            pending += shell.operators(i);
            add(new ArrayList<>(shell.commands().get(i)), shell.redirections(i), depth);
        }
        parentheses(shell.operators(size));
        end = pending + shell.operators(size);
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

    private void add(List<String> words, List<String> redirections, int depth) {
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
        if (words.isEmpty()) {
            return;
        }
        String substituted = depth < MAX_DEPTH ? substituted(words) : null;
        List<String> inner = substituted == null ? words : words(substituted, words);
        Step step = new Step(inner, pending);
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

    /** The script of {@code name=$(script)}; null if the words are something else. */
    private static @Nullable String substituted(List<String> words) {
        String word = words.get(0);
        int from = word.indexOf("=$(");
        return words.size() == 1 && from > 0 && word.endsWith(")") && CommandLine.isAssignment(word)
                ? word.substring(from + 3, word.length() - 1)
                : null;
    }

    private static List<String> words(String script, List<String> otherwise) {
        List<List<String>> commands = ShellTokenizer.structured(script).commands();
        return commands.isEmpty() ? otherwise : commands.get(0);
    }

    private void pipe(Step reader) {
        reader.reads = true;
        int from = closedGroup >= 0 ? closedGroup : steps.size() - 1;
        List<Step> sources = steps.subList(from, steps.size());
        for (Step step : steps) {
            boolean upstream = !step.readers.isEmpty() && sources.contains(step.readers.get(step.readers.size() - 1));
            if (upstream || sources.contains(step)) {
                step.readers.add(reader);
            }
        }
    }

    private void set(List<String> words) {
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            boolean on = word.startsWith("-");
            if (word.matches("[-+][a-z]*e[a-z]*")) {
                errexit = on;
            }
            if (word.matches("[-+][a-z]*o") && i + 1 < words.size()) {
                errexit = words.get(i + 1).equals("errexit") ? on : errexit;
                pipefail = words.get(i + 1).equals("pipefail") ? on : pipefail;
            }
        }
    }

    private List<Work> works(int depth) {
        List<Work> works = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            if (!steps.get(i).isQuiet() && !steps.get(i).reads) {
                add(works, i, depth);
            }
        }
        for (int i = steps.size() - 1; works.isEmpty() && i >= 0; i--) {
            if (!steps.get(i).isQuiet() || i == 0) {
                add(works, i, depth);
            }
        }
        return works;
    }

    private void add(List<Work> works, int at, int depth) {
        Step step = steps.get(at);
        CommandLine.Command command = CommandLine.withoutPrefix(step.words);
        List<String> prefix =
                step.words.subList(0, step.words.size() - command.words().size());
        List<String> setup = new ArrayList<>();
        for (int i = 0; i < at; i++) {
            addSetup(setup, steps.get(i), step);
        }
        addPrefix(setup, prefix);
        step.redirections.stream().filter(sign -> sign.startsWith("<")).forEach(setup::add);
        Proof proof = proof(at);
        int script = CommandLine.script(command.words());
        List<Work> inner = script < 0 || depth >= MAX_DEPTH
                ? List.of()
                : works(command.words().get(script), depth + 1);
        if (inner.isEmpty()) {
            works.add(new Work(
                    CommandLine.call(command),
                    withoutVerbosity(command.words()),
                    setup,
                    proof.exits,
                    visibility(at),
                    proof.exitText,
                    proof.successText,
                    proof.failureText));
        }
        boolean login = script > 0 && command.words().get(script - 1).matches("-\\w*[li]\\w*");
        for (Work work : inner) {
            List<String> all = new ArrayList<>(setup);
            all.addAll(login ? List.of(step.tool() + " -l") : List.of());
            all.addAll(work.setup());
            works.add(work.within(all, proof.exits, visibility(at)));
        }
    }

    /** Adds an earlier step if it can change what the work does. */
    private static void addSetup(List<String> setup, Step before, Step work) {
        boolean feeds = before.readers.contains(work);
        boolean printsOnly = before.isQuiet() && ToolTable.listed("printers", before.tool());
        if (feeds || !printsOnly && !before.reads) {
            int from = before.tool().equals("export") && before.words.size() > 1 ? 1 : 0;
            String line = String.join(" ", before.words.subList(from, before.words.size()));
            if (!NEUTRAL_VARIABLE.matcher(line).matches()) {
                setup.add(line + (feeds ? " |" : ""));
            }
        }
    }

    /** Adds the wrappers and assignments before the command, except those that change nothing. */
    private static void addPrefix(List<String> setup, List<String> prefix) {
        boolean neutral = false;
        for (String word : prefix) {
            neutral = ToolTable.listed("neutral-wrappers", word) || neutral && word.startsWith("-");
            if (!neutral
                    && !word.equals("env")
                    && !NEUTRAL_VARIABLE.matcher(word).matches()) {
                setup.add(word);
            }
        }
    }

    /** The words without options that change only how much is printed. */
    private static List<String> withoutVerbosity(List<String> words) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String name = word.indexOf('=') > 0 ? word.substring(0, word.indexOf('=')) : word;
            boolean listed = i > 0 && ToolTable.listed("verbosity", name);
            boolean takesValue = name.equals(word) && ToolTable.listed("verbosity-values", word);
            if (i == 0 || !listed && !takesValue && !word.matches("(?:V|VERBOSE|DEBUG)=\\w*")) {
                kept.add(word);
            } else if (i + 1 < words.size() && (takesValue || words.get(i + 1).matches("\\d"))) {
                i++;
            }
        }
        return kept;
    }

    /**
     * What tells whether a command worked.
     *
     * @param exits whether exit code 0 of the line means that the command exited with 0
     * @param exitText a text of the output with {@code $?} in the place of the command's exit code
     */
    private record Proof(
            boolean exits,
            @Nullable String exitText,
            @Nullable String successText,
            @Nullable String failureText) {}

    private Proof proof(int at) {
        Step step = steps.get(at);
        int next = at + 1;
        while (next < steps.size() && steps.get(next).isPipe()) {
            next++;
        }
        String exitText = null;
        String successText = null;
        String failureText = null;
        if (next < steps.size()) {
            Step after = steps.get(next);
            String status = step.readers.isEmpty() ? "$?" : "${PIPESTATUS[0]}";
            exitText = exitText(next, status);
            boolean then = step.isCondition && after.isSequel();
            if (after.follows("&&") || then) {
                successText = echoed(after);
            }
            for (int i = next; i < steps.size() && failureText == null; i++) {
                boolean isElse = step.isCondition && steps.get(i).isElse;
                failureText = steps.get(i).follows("||") || isElse ? echoed(steps.get(i)) : null;
            }
        }
        boolean exits = exits(at) || exitText != null && exitText.isEmpty();
        boolean swap = step.negated;
        return new Proof(
                exits,
                exitText == null || exitText.isEmpty() ? null : exitText,
                swap ? failureText : successText,
                swap ? successText : failureText);
    }

    /** The text that prints the status of the command before; empty if the line exits with it, null if neither. */
    private @Nullable String exitText(int next, String status) {
        Step after = steps.get(next);
        String line = String.join(" ", after.words);
        if (!line.contains(status) || !after.isSequel()) {
            return null;
        }
        if (after.tool().equals("exit") || after.tool().equals("return")) {
            return "";
        }
        if (after.tool().equals("echo")) {
            return line.substring(4).strip().replace(status, "$?");
        }
        int sign = line.indexOf('=');
        String name = sign > 0 && line.substring(sign + 1).equals(status) ? line.substring(0, sign) : null;
        for (int i = next + 1; name != null && i < steps.size(); i++) {
            String later = String.join(" ", steps.get(i).words).replace("${" + name + "}", "$" + name);
            boolean exit = steps.get(i).tool().equals("exit");
            if (later.contains("$" + name) && (exit || steps.get(i).tool().equals("echo"))) {
                return exit ? "" : later.substring(4).strip().replace("$" + name, "$?");
            }
        }
        return null;
    }

    private static @Nullable String echoed(Step step) {
        String text = String.join(" ", step.words.subList(1, step.words.size()));
        return step.tool().equals("echo") && !text.contains("$") && !text.isBlank() && step.readers.isEmpty()
                ? text
                : null;
    }

    private boolean exits(int at) {
        Step step = steps.get(at);
        boolean piped = !step.readers.isEmpty() && !step.pipefail;
        if (step.negated || step.inBlock || step.isCondition || piped || step.follows("||") || isBackground(at)) {
            return at + 1 < steps.size() && isBackground(at) && waits(steps.get(at + 1));
        }
        boolean last = true;
        for (int i = at + 1; i < steps.size(); i++) {
            Step after = steps.get(i);
            if (after.follows("||")) {
                int abort = abort(i);
                if (abort < 0) {
                    return false;
                }
                i = abort;
            } else if (after.isSequel()) {
                return last && step.errexit;
            }
            last &= !after.follows("&&");
        }
        return true;
    }

    private boolean isBackground(int at) {
        int next = at + 1;
        while (next < steps.size() && !steps.get(next).isSequel()) {
            next++;
        }
        return next < steps.size() ? steps.get(next).isAfterBackground() : end.endsWith("&");
    }

    private static boolean waits(Step step) {
        return step.tool().equals("wait") && step.words.size() > 1;
    }

    /** The index of the command that ends the line with an error, from an alternative on; -1 if it goes on. */
    private int abort(int from) {
        for (int i = from; i < steps.size() && (i == from || from + 3 > i); i++) {
            Step step = steps.get(i);
            boolean exit = step.tool().equals("exit") || step.tool().equals("return");
            boolean aborts = exit && step.words.size() > 1 && !step.words.get(1).equals("0");
            if (aborts || step.tool().equals("false")) {
                return i;
            }
            if (!step.tool().equals("echo")) {
                return -1;
            }
        }
        return -1;
    }

    private Visibility visibility(int at) {
        Step step = steps.get(at);
        boolean hidden = false;
        for (String redirection : step.redirections) {
            hidden |= isToFile(redirection) && !isPrinted(redirection, at);
        }
        int lines = Integer.MAX_VALUE;
        for (Step reader : step.readers) {
            if (!ToolTable.listed("pagers", reader.tool())) {
                hidden = true;
            } else if (reader.tool().equals("head")) {
                lines = Math.min(lines, lines(reader.words));
            }
        }
        return new Visibility(hidden, lines);
    }

    private static boolean isToFile(String redirection) {
        return redirection.indexOf('>') >= 0 && !redirection.matches("\\d?>&\\d|.*/dev/(?:stderr|stdout|tty)");
    }

    /** Whether a later step prints the file of a redirection. */
    private boolean isPrinted(String redirection, int at) {
        String file = redirection.replaceFirst("^[&\\d]*[<>&|]*", "");
        return steps.subList(at + 1, steps.size()).stream()
                .anyMatch(after -> ToolTable.listed("pagers", after.tool()) && after.words.contains(file));
    }

    private static int lines(List<String> words) {
        for (String word : words.subList(1, words.size())) {
            if (LINE_COUNT.matcher(word).matches()) {
                return Integer.parseInt(word.replaceAll("\\D", ""));
            }
        }
        return HEAD_LINES;
    }
}
