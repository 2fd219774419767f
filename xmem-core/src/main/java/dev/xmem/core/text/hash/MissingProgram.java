package dev.xmem.core.text.hash;

import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Finds the program that a shell, a wrapper or a library could not start.
 * Decision: docs/adr/0055-one-shell-reader.md.
 */
final class MissingProgram {
    private static final int MAX_CHARS = 1_000;
    private static final String NAME = "[\"'`‘“]?([\\w.+-]{1,60})[\"'`’”]?";
    private static final String PATH = "[\"'`‘“]?([\\w.+/-]{1,200})[\"'`’”]?";
    private static final String SHELL = "(?:\\S{0,80}: ?)?(?:[^:]{0,20}\\d{1,6}[^:]{0,9}: ?)?";
    private static final List<LiteralPattern> FORMS = List.of(
            new LiteralPattern(
                    "not found", SHELL + "(?:exec: )?" + NAME + " ?: ?(?:command )?not found\\.?(?:\\.\\.\\..*)?"),
            new LiteralPattern("ommand not found: ", SHELL + "[Cc]ommand not found: " + NAME),
            new LiteralPattern("fish: Unknown", "fish: Unknown command:? " + NAME),
            new LiteralPattern(
                    ": No such file",
                    "\\S{0,80}(?:env|xargs|nohup|nice|timeout|stdbuf|setsid|ionice|chroot|make(?:\\[\\d\\])?): "
                            + "(?:failed to run command |can't execute |unable to execute )?"
                            + PATH + ": No such file or directory"),
            new LiteralPattern(
                    ": failed to execute ", "\\S{0,80}: failed to execute " + PATH + ": No such file or directory"),
            new LiteralPattern("time: cannot run", "time: cannot run " + NAME + ": No such file or directory"),
            new LiteralPattern("executable file", ".{0,300}exec: " + NAME + ": executable file not found.*"),
            new LiteralPattern("Command ", "Command " + NAME + " not found.*"),
            new LiteralPattern(
                    " is not recognized as ",
                    "(?:.{0,200} )?" + NAME + ".{0,20} is not recognized as (?:an internal|a name|the name|name) .*"),
            new LiteralPattern(" ENOENT", ".{0,300}spawn " + NAME + " ENOENT.*"),
            new LiteralPattern("Cannot run program", ".{0,300}Cannot run program " + NAME + ".*"),
            new LiteralPattern(" in (", ".{0,200}[Nn]o " + NAME + " in \\(.*"));
    /** These name a program or something else; it is a program if it is one that is known. */
    private static final List<LiteralPattern> AMBIGUOUS = List.of(
            new LiteralPattern("FileNotFoundError: ", "FileNotFoundError: .{0,100}No such file or directory: " + NAME),
            new LiteralPattern(": No module", "\\S{0,200}python[\\d.]*(?:\\.exe)?: No module named " + NAME));

    private MissingProgram() {}

    /**
     * The canonical name of the program that the decisive line, or the wrapper of this cause, says is missing; empty if
     * it has no name.
     */
    static @Nullable String of(ScoredLine decisive, List<ScoredLine> lines) {
        String program = of(decisive);
        for (ScoredLine other : program != null && decisive.text.startsWith("make") ? lines : List.<ScoredLine>of()) {
            if (other.text.contains("No rule to make target '" + named(decisive.text) + '\'')) {
                return null;
            }
        }
        for (ScoredLine wrapper : decisive.rank == SalientLines.CAUSE ? lines : List.<ScoredLine>of()) {
            program = wrapper.text.contains("Cannot run program") ? of(wrapper) : program;
        }
        return program;
    }

    /** What a line of make says is missing. */
    private static String named(String text) {
        int from = text.indexOf(": ") + 2;
        return text.substring(from, Math.max(from, text.indexOf(": ", from)));
    }

    private static @Nullable String of(ScoredLine decisive) {
        String text = decisive.text.strip();
        if (text.length() > MAX_CHARS) {
            return null;
        }
        String name = first(FORMS, text, decisive.letters);
        String guess = name == null ? first(AMBIGUOUS, text, decisive.letters) : null;
        return guess != null && ToolTable.isKnown(guess) ? guess : name;
    }

    private static @Nullable String first(List<LiteralPattern> forms, String text, long letters) {
        for (LiteralPattern form : forms) {
            Matcher matcher = form.matcher(text, letters);
            if (matcher != null && matcher.matches()) {
                return name(matcher);
            }
        }
        return null;
    }

    /** The name of the program; empty if it is a file of the project. */
    private static @Nullable String name(Matcher matcher) {
        String name = matcher.group(1);
        if (name.indexOf('/') >= 0) {
            return "";
        }
        return Character.isLetter(name.charAt(0)) ? ToolTable.canonical(name) : null;
    }
}
