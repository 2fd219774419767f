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
    private static final List<LiteralPattern> FORMS = ErrorCodes.patterns("program");
    /** These name a program or something else; it is a program if it is one that is known. */
    private static final List<LiteralPattern> AMBIGUOUS = ErrorCodes.patterns("known-program");

    private MissingProgram() {}

    /**
     * The canonical name of the program that the decisive line, or the wrapper of this cause, says is missing; empty if
     * it has no name.
     */
    static @Nullable String of(ScoredLine decisive, List<ScoredLine> lines) {
        String program = of(decisive);
        for (ScoredLine other : program != null && decisive.text.startsWith("make") ? lines : List.<ScoredLine>of()) {
            if (CharClasses.lowerCase(other.text).contains("no rule to make target")
                    && other.text.contains(named(decisive.text))) {
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
        Matcher matcher = LiteralPattern.first(forms, text, letters);
        return matcher == null ? null : name(matcher);
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
