package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.CommandLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Recognizes calls that run the same tool for something else: another script, other packages, another file. Nothing
 * follows from their success for the call that failed, which stays open. The words are in {@code trivial.txt}.
 * Stateless. Decision: docs/adr/0072-fixes-that-carry-over.md.
 */
final class OtherWork {
    private static final Set<String> INTERPRETERS = TrivialFailures.words("interpreters");
    private static final Set<String> INSTALLERS = TrivialFailures.words("installers");
    private static final Set<String> EDITORS = TrivialFailures.words("editors");
    private static final Set<String> SETTINGS = TrivialFailures.words("settings");
    private static final Set<String> CLEARING = TrivialFailures.words("clearing");
    private static final String ADVICE = String.join(" ", TrivialFailures.words("advice"));
    private static final Set<String> CODE_OPTIONS = Set.of("-c", "-e", "-m");
    private static final Pattern SEPARATORS = Pattern.compile("[/:\\\\]");
    private static final Pattern QUOTES = Pattern.compile("[\"'\\\\]");
    private static final Pattern NO_LETTERS = Pattern.compile("[^\\p{L}\\p{Nd}]++");
    /** Loops over groups are possessive, so that a long line is no deep recursion. */
    private static final Pattern WRITES = Pattern.compile(
            "\\b(?:echo|printf|cat)\\s(?:[^|;&\"'\\\\>\\n]++|\\\\."
                    + "|\"(?:[^\"\\\\]++|\\\\.)*+\"|'[^']*+'|(?<=[\\d=<-])>++&?+|>{1,2}+\\s*+(?=/dev/|&|\\())*+>"
                    + "|\\bsed\\s+(?:-(?!i)\\w++\\s++)*+-i|\\bgit\\s+apply\\b"
                    + "|(?:^|[|;&(\\n\"']|\\bsudo\\s)\\s*+(?:tee|patch)\\s++(?!/dev/)"
                    + "|\\b(?:python|node|perl|ruby)[\\d.]*+\\s[^|;&\\n<]*+<<.*?(?:[wW]rite|[\"'][aw]b?[\"'])",
            Pattern.DOTALL);

    /** An assignment, or a shell with an option. */
    private static final Pattern PLAIN_STEP = Pattern.compile("\\w+=.*|\\S+ -\\w", Pattern.DOTALL);

    private static final Pattern FILE = Pattern.compile("^[^:]*/|\\.\\p{L}{1,4}$");
    private static final int MIN_PART_CHARS = 2;
    private static final int COMMON_CHARS = 4;
    private static final int COMMON_START = 3;
    private static final int LONG_OPTION = 3;

    private OtherWork() {}

    /** Whether the second call does something else than the first. */
    static boolean is(CallDiff difference) {
        SessionCall failed = difference.first();
        CommandLine.Work before = difference.before();
        CommandLine.Work after = difference.after();
        if (before == null || after == null) {
            return false;
        }
        List<String> added = minus(after.words(), before.words());
        List<String> removed = replaced(before, after);
        if (isEditor(failed.tool())) {
            return !removed.isEmpty() || !added.isEmpty() || failed.action().indexOf('\n') >= 0;
        }
        added.addAll(minus(after.setup(), before.setup()));
        String program = isInterpreter(before.call()) ? program(before.words()) : "";
        boolean unlike = removed.stream()
                .anyMatch(part -> added.stream()
                        .noneMatch(other -> isAlike(part, other) || isAdvised(part, other, failed, before)));
        boolean onlyOne =
                added.size() == 1 && minus(before.words(), after.words()).size() == 1;
        return unlike && (isBound(before.call()) || !onlyOne)
                || SessionCall.isReadOnly(after.call()) && !SessionCall.isReadOnly(before.call())
                || !program.isEmpty() && after.words().stream().noneMatch(word -> isAlike(program, word));
    }

    /**
     * Whether a call with JSON arguments differs only in the file that it names, and the files have unlike names: the
     * other file says nothing about the first one, unless the failed call's output named it.
     */
    static boolean isOtherFile(CallDiff difference) {
        if (difference.before() != null
                || difference.removed().size() != 1
                || difference.added().size() != 1) {
            return false;
        }
        String[] before = difference.removed().get(0).split(": ", 2);
        String[] after = difference.added().get(0).split(": ", 2);
        return before.length == 2
                && after.length == 2
                && before[0].equals(after[0])
                && FILE.matcher(before[1]).find()
                && FILE.matcher(after[1]).find()
                && !isAlike(before[1], after[1])
                && !last(before[1]).regionMatches(true, 0, last(after[1]), 0, COMMON_START)
                && !difference.output().namesAll(after[1]);
    }

    /**
     * Whether the failed call's output advised a word that resembles an operand: it names the word, and it suggests
     * something or is the output of a command that only reads.
     */
    private static boolean isAdvised(String part, String word, SessionCall failed, CommandLine.Work before) {
        OutputLines output = failed.info().output();
        return IntStream.rangeClosed(0, part.length() - COMMON_CHARS)
                        .anyMatch(i -> word.contains(part.substring(i, i + COMMON_CHARS)))
                && output.namesAll(word)
                && (SessionCall.isReadOnly(before.call()) || output.names(ADVICE));
    }

    /** Whether a tool writes files: its arguments are about one file. */
    static boolean isEditor(String tool) {
        return EDITORS.contains(tool.toLowerCase(Locale.ROOT));
    }

    /** Whether a successful call changed files, so that it may be why another one works. */
    static boolean writesFiles(SessionCall call) {
        return isEditor(call.tool()) || WRITES.matcher(call.line()).find();
    }

    /**
     * Whether the steps before the command differ in a way that is no lesson: the successful call has a new step that
     * prepares nothing, or it only leaves steps out. A step that ends or deletes what the output names prepares it.
     */
    static boolean hasOtherSteps(CallDiff difference) {
        CommandLine.Work before = difference.before();
        CommandLine.Work after = difference.after();
        if (before == null || after == null) {
            return false;
        }
        boolean fewer = difference.added().isEmpty()
                && minus(before.setup(), after.setup()).stream().anyMatch(step -> step.indexOf(' ') > 0);
        return fewer
                || minus(after.setup(), before.setup()).stream()
                        .anyMatch(step -> step.indexOf(' ') > 0 && !isPreparation(step, after.call(), difference));
    }

    private static boolean isPreparation(String step, CommandLine.Call work, CallDiff difference) {
        SessionCall call = SessionCall.of("shell", step);
        CommandLine.Work own = call.work();
        String first = step.substring(0, step.indexOf(' '));
        CommandLine.Work before = difference.before();
        boolean input =
                step.endsWith("|") && before != null && before.setup().stream().anyMatch(other -> other.endsWith("|"));
        return input
                || SETTINGS.contains(first)
                || !WRITES.matcher(step).find()
                        && own != null
                        && (call.prepares()
                                || CLEARING.contains(own.call().tool())
                                        && difference.output().names(step)
                                || own.call().tool().equals(work.tool()) && !isInterpreter(work)
                                || own.words().contains("-m"))
                || PLAIN_STEP.matcher(step).matches();
    }

    /** Whether a command does what its operands name, and nothing else. */
    private static boolean isBound(CommandLine.Call call) {
        return isInterpreter(call) || isInstaller(call) || SessionCall.isReadOnly(call);
    }

    private static boolean isInterpreter(CommandLine.Call call) {
        return INTERPRETERS.contains(call.tool());
    }

    private static boolean isInstaller(CommandLine.Call call) {
        return INSTALLERS.contains(call.tool() + ':' + call.operation());
    }

    /** The text of the program after an option that says so; empty if there is none. */
    private static String program(List<String> words) {
        for (int i = 1; i + 1 < words.size(); i++) {
            if (CODE_OPTIONS.contains(words.get(i))) {
                return words.get(i + 1);
            }
        }
        return "";
    }

    /** The operands that only the first command has; values of options are none, as far as they can be told. */
    private static List<String> replaced(CommandLine.Work before, CommandLine.Work after) {
        List<String> words = before.words();
        boolean bound = isInstaller(before.call()) || SessionCall.isReadOnly(before.call());
        int shortest = isInterpreter(before.call()) ? LONG_OPTION : 0;
        List<String> operands = new ArrayList<>();
        for (String word : minus(words.subList(1, words.size()), after.words())) {
            String option = words.get(Math.max(0, words.indexOf(word) - 1));
            boolean value = !bound && option.startsWith("-") && option.length() >= shortest;
            if (!word.startsWith("-") && !value) {
                operands.add(word);
            }
        }
        return operands;
    }

    private static List<String> minus(List<String> words, List<String> others) {
        List<String> rest = new ArrayList<>(words);
        others.forEach(rest::remove);
        return rest;
    }

    /**
     * Whether two operands name the same thing: by their letters, by their last part, one within the other, or in two
     * versions.
     */
    private static boolean isAlike(String first, String second) {
        String one = QUOTES.matcher(first).replaceAll("");
        String two = QUOTES.matcher(second).replaceAll("");
        String end = last(one);
        String letters = NO_LETTERS.matcher(one).replaceAll("");
        boolean within = isWithin(one, two) || isWithin(two, one) || two.contains("[redacted:");
        if (within
                || end.length() >= MIN_PART_CHARS && end.equals(last(two))
                || !letters.isEmpty() && letters.equals(NO_LETTERS.matcher(two).replaceAll(""))) {
            return true;
        }
        String longer = one.length() < two.length() ? two : one;
        int same = 0;
        while (same < Math.min(one.length(), two.length()) && one.charAt(same) == two.charAt(same)) {
            same++;
        }
        boolean other = same == Math.min(one.length(), two.length()) && longer.startsWith("-", same);
        return !other && !FILE.matcher(one).find() && 2 * same >= longer.length();
    }

    /** Whether a text has another one as a whole name: {@code a.py} is within {@code src/a.py}, not {@code data.py}. */
    private static boolean isWithin(String name, String text) {
        for (int at = text.indexOf(name); at >= 0 && !name.isEmpty(); at = text.indexOf(name, at + 1)) {
            if (isBorder(text, at) && isBorder(text, at + name.length())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBorder(String text, int at) {
        return at == 0 || at == text.length() || !isNamePart(text.charAt(at - 1)) || !isNamePart(text.charAt(at));
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '-' || c == '_';
    }

    private static String last(String path) {
        String[] parts = SEPARATORS.split(path);
        return parts.length == 0 ? path : parts[parts.length - 1];
    }
}
