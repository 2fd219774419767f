package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.CommandLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
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
    private static final Set<String> SETTING_NAMES = TrivialFailures.words("setting-names");
    private static final Set<String> ID_NAMES = TrivialFailures.words("id-names");
    private static final Set<String> TARGET_NAMES = TrivialFailures.words("target-names");
    private static final Set<String> STATEMENT_OPTIONS = TrivialFailures.words("statement-options");
    private static final Set<String> DASHLESS = TrivialFailures.words("dashless");
    private static final Set<String> RENAMES = TrivialFailures.words("renames");
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
    private static final Pattern ENDING = Pattern.compile("(?<=.)\\.\\p{L}\\w{0,4}$");
    private static final Pattern EDGES = Pattern.compile("^[^\\p{L}\\p{Nd}]++|[^\\p{L}\\p{Nd}]++$");
    private static final Pattern NUMBERS = Pattern.compile("[\\d.]+");
    /** A number that is a version or a port: behind such a sign, or with a point in it. */
    private static final Pattern VERSION = Pattern.compile("[:@=<>~^]v?\\d|\\d\\.\\d|/v\\d");

    private static final Pattern HAS_DIGIT = Pattern.compile("\\d");
    private static final Pattern URL_HOST = Pattern.compile("^\\w[\\w+.-]*+://([^/?#]*+)");
    private static final int MIN_PART_CHARS = 2;
    private static final int MIN_NAME_CHARS = 3;
    /** The start of a path that does not depend on the working directory. */
    private static final Pattern ABSOLUTE = Pattern.compile("^[\"']?(?:[/~]|\\$|\\p{L}:)");

    private static final Pattern STEP_ENDS = Pattern.compile(";|&&|\\|\\||\n");
    private static final Pattern LINE_WORDS = Pattern.compile("[\\s;|&()'\"]+");
    private static final Pattern SETTING_VALUE = Pattern.compile("-?\\d+(?:\\.\\d+)?|true|false|null");
    private static final int COMMON_CHARS = 4;
    private static final int LONG_OPTION = 3;
    private static final int MAX_COMPARED = 400;

    private OtherWork() {}

    /** Whether the second call does something else than the first. */
    static boolean is(CallDiff difference) {
        SessionCall failed = difference.first();
        CommandLine.Work before = difference.before();
        CommandLine.Work after = difference.after();
        if (before == null || after == null) {
            return isOtherMember(difference);
        }
        List<String> added = minus(after.words(), before.words());
        List<String> removed = replaced(before, after);
        if (isEditor(failed.tool())) {
            return !removed.isEmpty() || !added.isEmpty() || failed.action().indexOf('\n') >= 0;
        }
        added.addAll(minus(after.setup(), before.setup()));
        String program = isInterpreter(before.call()) ? program(before.words()) : "";
        boolean bound = isBound(before.call());
        boolean unlike = removed.stream()
                .anyMatch(part -> added.stream()
                        .noneMatch(other -> isAlike(part, other, bound) || isAdvised(part, other, failed, before)));
        return unlike
                || failedInAnother(failed, before, difference.second())
                || SessionCall.isReadOnly(after.call()) && !SessionCall.isReadOnly(before.call())
                || !program.isEmpty() && after.words().stream().noneMatch(word -> isAlike(program, word, true));
    }

    /**
     * Whether a call with JSON arguments is about something else: a member other than a setting has an unlike value
     * that the failed call's output did not name.
     */
    private static boolean isOtherMember(CallDiff difference) {
        for (String member : difference.removed()) {
            int end = member.indexOf(": ") + 2;
            String name = member.substring(0, end);
            String value = member.substring(end);
            boolean target = !SETTING_VALUE.matcher(value).matches()
                            && Collections.disjoint(InertCall.nameWords(name), SETTING_NAMES)
                    || !Collections.disjoint(InertCall.nameWords(name), ID_NAMES);
            for (String other : difference.added()) {
                if (target
                        && other.startsWith(name)
                        && !isAlike(value, other.substring(end), false)
                        && !difference.output().namesAll(other.substring(end))) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Whether the failure is of another command of the line than the one that did the work, and the second call does
     * not run its program: {@code sleep 5; cat x} failed in {@code cat}. The output names a word of that command only.
     */
    private static boolean failedInAnother(SessionCall failed, CommandLine.Work work, SessionCall second) {
        OutputLines output = failed.info().output();
        if (output.names(String.join(" ", work.words()))) {
            return false;
        }
        List<String> words = List.of(LINE_WORDS.split(second.line(), -1));
        return STEP_ENDS
                .splitAsStream(failed.line())
                .map(String::strip)
                .filter(output::names)
                .map(part -> part.split("\\s", 2)[0])
                .anyMatch(
                        program -> !SETTINGS.contains(program) && !program.equals("echo") && !words.contains(program));
    }

    /**
     * Whether the failed call's output advised a word in the place of an operand: it names the word, and it suggests
     * something or is of a command that only reads. If the command does nothing but what its operands name, the two
     * also resemble each other.
     */
    private static boolean isAdvised(String part, String word, SessionCall failed, CommandLine.Work before) {
        OutputLines output = failed.info().output();
        boolean common = IntStream.rangeClosed(0, part.length() - COMMON_CHARS)
                .anyMatch(i -> word.contains(part.substring(i, i + COMMON_CHARS)));
        return output.namesAll(word)
                && (common || !isBound(before.call()))
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
        if (Shortcut.destroys(call, difference.output())) {
            return false;
        }
        if (step.startsWith("cd ")) {
            return isNear(step.substring(3).strip(), difference.first());
        }
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

    /**
     * Whether a folder may be one of the failed call's project: its path is relative, or the failed call or its output
     * names a part of it.
     */
    private static boolean isNear(String folder, SessionCall failed) {
        return !ABSOLUTE.matcher(folder).find()
                || failed.info().output().names(folder)
                || failed.line().contains(folder);
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
            boolean value = !bound && option.startsWith("-") && option.length() >= shortest && !isTarget(option, word);
            boolean flags = DASHLESS.contains(before.call().tool()) && word.equals(words.get(1));
            if (!word.startsWith("-") && !value && !flags) {
                operands.add(word);
            }
        }
        return operands;
    }

    /** Whether the value of an option says what is worked on: by the name of the option, or as a program of its own. */
    private static boolean isTarget(String option, String value) {
        return !Collections.disjoint(InertCall.nameWords(option), TARGET_NAMES)
                || URL_HOST.matcher(value).find() && !option.startsWith("--")
                || value.indexOf(' ') > 0 && STATEMENT_OPTIONS.contains(option);
    }

    private static List<String> minus(List<String> words, List<String> others) {
        List<String> rest = new ArrayList<>(words);
        others.forEach(rest::remove);
        return rest;
    }

    /**
     * Whether two operands name the same thing: by their letters, by their last part, by a typing error, one within the
     * other, in two versions, or as texts of which each word is so.
     *
     * @param bound whether the command does what its operands name, and nothing else: then a longer name is another one
     */
    private static boolean isAlike(String first, String second, boolean bound) {
        String one = QUOTES.matcher(first).replaceAll("").strip().toLowerCase(Locale.ROOT);
        String two = QUOTES.matcher(second).replaceAll("").strip().toLowerCase(Locale.ROOT);
        Matcher host = URL_HOST.matcher(one);
        Matcher other = URL_HOST.matcher(two);
        if (host.find() && other.find() && !host.group(1).equals(other.group(1))) {
            return hasTypo(host.group(1), other.group(1));
        }
        String end = last(one);
        String letters = NO_LETTERS.matcher(one).replaceAll("");
        String name = EDGES.matcher(one).replaceAll("");
        boolean same = isWithin(one, two)
                || isWithin(two, one)
                || isWithin(name, two)
                || isWithin(EDGES.matcher(two).replaceAll(""), one)
                || two.contains("[redacted:")
                || end.length() >= MIN_PART_CHARS && end.equals(last(two))
                || !letters.isEmpty() && letters.equals(NO_LETTERS.matcher(two).replaceAll(""))
                || RENAMES.contains(one + ':' + two);
        if (same) {
            return true;
        }
        if (isNumberedLike(one, two)) {
            boolean added =
                    !HAS_DIGIT.matcher(one).find() || !HAS_DIGIT.matcher(two).find();
            return !FILE.matcher(one).find()
                    && (VERSION.matcher(one).find() || VERSION.matcher(two).find() || added);
        }
        if (one.indexOf(' ') > 0 && two.indexOf(' ') > 0) {
            return isSameText(one, two, bound);
        }
        return hasTypo(one, two) || (bound ? beginsAlike(one, two) : isLonger(last(one), last(two)));
    }

    private static boolean isNumberedLike(String one, String two) {
        return NUMBERS.matcher(one).replaceAll("").equals(NUMBERS.matcher(two).replaceAll(""));
    }

    /** Whether each word that only the first text has is like one that only the second has, or one has all words. */
    private static boolean isSameText(String one, String two, boolean bound) {
        List<String> before = List.of(NO_LETTERS.split(one, -1));
        List<String> after = List.of(NO_LETTERS.split(two, -1));
        List<String> added = minus(after, before);
        List<String> removed = minus(before, after);
        return removed.isEmpty() || added.isEmpty()
                ? !bound
                : removed.size() * added.size() < MAX_COMPARED
                        && removed.stream()
                                .allMatch(word -> added.stream().anyMatch(other -> isAlike(word, other, bound)));
    }

    /** Whether one name differs from another by a typing error in a word: by more than a digit or a whole word. */
    private static boolean hasTypo(String one, String two) {
        String[] before = NO_LETTERS.split(one, -1);
        String[] after = NO_LETTERS.split(two, -1);
        boolean near = before.length != after.length && TypoDetector.isNear(one, two);
        for (int i = 0; i < before.length && before.length == after.length; i++) {
            if (!before[i].equals(after[i])) {
                near = !isNumberedLike(before[i], after[i]) && TypoDetector.isNear(before[i], after[i]);
                i = near ? i : before.length;
            }
        }
        return near;
    }

    /** Whether one of two names begins or ends with the other: they may be files with another ending. */
    private static boolean isLonger(String one, String two) {
        String first = ENDING.matcher(one).replaceFirst("");
        String second = ENDING.matcher(two).replaceFirst("");
        String shorter = first.length() < second.length() ? first : second;
        String longer = first.length() < second.length() ? second : first;
        return shorter.codePoints().filter(Character::isLetter).count() >= MIN_NAME_CHARS
                && (longer.startsWith(shorter) || longer.endsWith(shorter));
    }

    private static boolean beginsAlike(String one, String two) {
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
