package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CommandLine.Visibility;
import dev.xmem.core.text.hash.CommandLine.Work;
import dev.xmem.core.text.hash.ShellSteps.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a shell line into the commands that do its work, and into what the exit code and the output of the line say
 * about each of them. A heuristic parser of the common forms, not a shell: it expands nothing and rejects nothing.
 */
final class ShellScript {
    private static final int MAX_DEPTH = 3;
    private static final int HEAD_LINES = 10;
    private static final LiteralPattern LINE_COUNT = new LiteralPattern("-(?:n|-lines=)?(\\d{1,6})|\\d{1,6}");
    private static final LiteralPattern NEUTRAL_VARIABLE =
            new LiteralPattern("(?s)(?=\\w++=)[^=]*?(?:TRACE|VERBOSE|DEBUG|LOG|COLOR|PAGER|COLUMNS).*");
    private static final LiteralPattern LOGIN = new LiteralPattern("-(?=[^li]*+[li])\\w++");

    private final ShellSteps parsed;
    private final List<Step> steps;
    /** The text with which each step is listed as setup of a later one; null if it changes nothing. */
    private final List<@Nullable String> setups = new ArrayList<>();

    private ShellScript(String line) {
        this.parsed = ShellSteps.of(line);
        this.steps = parsed.steps;
        steps.forEach(step -> setups.add(setup(step)));
    }

    private static @Nullable String setup(Step step) {
        String line = step.tool().equals("export") && step.words.size() > 1 ? step.arguments() : step.line();
        return isNeutralVariable(line) ? null : line;
    }

    /** The commands that do the work, in order; empty if the line has no command. */
    static List<Work> works(String line) {
        return new ShellScript(line).works(0);
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
        ShellCommands.Command command = ShellCommands.withoutPrefix(step.words);
        List<String> prefix =
                step.words.subList(0, step.words.size() - command.words().size());
        List<String> setup = new ArrayList<>();
        for (int i = 0; i < at; i++) {
            addSetup(setup, i, step);
        }
        addPrefix(setup, prefix);
        step.redirections.stream().filter(sign -> sign.startsWith("<")).forEach(setup::add);
        Proof proof = proof(at);
        Inner script = inner(command.words());
        List<Work> inner =
                script == null || depth >= MAX_DEPTH ? List.of() : new ShellScript(script.line()).works(depth + 1);
        if (inner.isEmpty()) {
            List<String> words = withoutVerbosity(command.words());
            works.add(new Work(
                    CommandLine.call(command),
                    words,
                    words.stream().map(step::written).toList(),
                    setup,
                    proof.exits,
                    visibility(at),
                    proof.exitText,
                    proof.successText,
                    proof.failureText));
        }
        for (Work work : inner) {
            List<String> all = new ArrayList<>(setup);
            all.addAll(script == null ? List.of() : script.context);
            all.addAll(work.setup());
            works.add(work.within(all, proof.exits, visibility(at)));
        }
    }

    /**
     * A script that a command passes to a shell.
     *
     * @param context what the command says about the shell: the host, the container, whether it is a login shell
     */
    private record Inner(String line, List<String> context) {}

    /** The script of {@code sh -c}, {@code docker exec web sh -c} or {@code ssh host}; null if there is none. */
    private static @Nullable Inner inner(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            List<String> rest = words.subList(i, words.size());
            int script = ShellCommands.script(rest);
            if (script > 0) {
                List<String> context = new ArrayList<>(words.subList(0, i));
                if (isLogin(rest.get(script - 1))) {
                    context.add(ToolTable.canonical(rest.get(0)) + " -l");
                }
                return new Inner(rest.get(script), context);
            }
        }
        int host = words.isEmpty() ? 0 : ToolTable.host(words);
        return host > 0 && host + 1 < words.size()
                ? new Inner(String.join(" ", words.subList(host + 1, words.size())), words.subList(0, host + 1))
                : null;
    }

    /** Whether the options of a shell make it a login shell or an interactive one. */
    static boolean isLogin(CharSequence options) {
        return LOGIN.matcher(options).matches();
    }

    /** Adds an earlier step if it can change what the work does. */
    private void addSetup(List<String> setup, int at, Step work) {
        String line = setups.get(at);
        Step before = steps.get(at);
        boolean feeds = before.readers.contains(work);
        boolean printsOnly = before.isQuiet() && ToolTable.listed("printers", before.tool());
        if (line != null && (feeds || !printsOnly && !before.reads)) {
            setup.add(line + (feeds ? " |" : ""));
        }
    }

    /** Whether a text assigns a variable that only changes what is printed. */
    static boolean isNeutralVariable(CharSequence text) {
        return NEUTRAL_VARIABLE.matcher(text).matches();
    }

    /** Adds the wrappers and assignments before the command, except those that change nothing. */
    private static void addPrefix(List<String> setup, List<String> prefix) {
        boolean neutral = false;
        for (String word : prefix) {
            neutral = ToolTable.listed("neutral-wrappers", word) || neutral && word.startsWith("-");
            if (!neutral && !word.equals("env") && !isNeutralVariable(word)) {
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
        String line = after.line();
        if (!line.contains(status) || !after.isSequel()) {
            return null;
        }
        if (after.tool().equals("exit") || after.tool().equals("return")) {
            return "";
        }
        if (after.tool().equals("echo")) {
            return printed(after.arguments().replace(status, "$?"));
        }
        int sign = line.indexOf('=');
        String name = sign > 0 && line.substring(sign + 1).equals(status) ? line.substring(0, sign) : null;
        for (int i = next + 1; name != null && i < steps.size(); i++) {
            Step later = steps.get(i);
            boolean exit = later.tool().equals("exit");
            boolean prints =
                    (exit || later.tool().equals("echo")) && later.line().contains(name);
            String text = prints ? later.arguments().replace("${" + name + "}", "$" + name) : "";
            if (text.contains("$" + name)) {
                return exit ? "" : printed(text.replace("$" + name, "$?"));
            }
        }
        return null;
    }

    /** A printed text; null if it does not show the status. */
    private static @Nullable String printed(String text) {
        return text.contains("$?") ? text.strip() : null;
    }

    private static @Nullable String echoed(Step step) {
        String text = step.arguments();
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
        return next < steps.size() ? steps.get(next).isAfterBackground() : parsed.endsInBackground();
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
        boolean hidden = isBackground(at) && !(at + 1 < steps.size() && waits(steps.get(at + 1)));
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
