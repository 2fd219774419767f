package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.CommandLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes calls that answer no failure, because they do not do the work of the call that failed: they only print a
 * help, a list or a plan, check something, or clean up. The words are in {@code trivial.txt}. Stateless.
 */
final class InertCall {
    private static final Set<String> OPTIONS = TrivialFailures.words("inert-options");
    private static final Set<String> FLAGS = TrivialFailures.words("inert-flags");
    private static final Set<String> FAILING_FLAGS = TrivialFailures.words("failing-flags");
    private static final Set<String> VERBS = TrivialFailures.words("inert-verbs");
    private static final Set<String> ALONE = TrivialFailures.words("inert-alone");
    private static final Set<String> TEST_SELECTORS = TrivialFailures.words("test-selectors");
    private static final String TEST_WORDS = String.join(" ", TrivialFailures.words("test-words"));
    private static final String FAILING_WORDS = String.join(" ", TrivialFailures.words("failing-words"));
    private static final Set<String> TESTS = TrivialFailures.words("test-words");
    private static final Set<String> CHECKERS = TrivialFailures.words("checkers");
    private static final String USAGE_WORDS = String.join(" ", TrivialFailures.words("usage-words"));
    private static final Set<String> REWRITES = TrivialFailures.words("option-rewrites");
    private static final Set<String> EXPECTED = TrivialFailures.words("expected-words");
    private static final String EXPECTED_WORDS = String.join(" ", EXPECTED);
    private static final Set<String> RUNNERS = TrivialFailures.words("test-runners");
    /** An option with which a checker forgets its rules. */
    private static final Pattern UNRULED = Pattern.compile("^--(?:no-?(?:[a-z]*rc|config.*)|isolated)$");

    /** A property of a build tool. */
    static final Pattern PROPERTY = Pattern.compile("^-[DP](?=\\p{Ll})");

    private static final Set<String> FAILURES = TrivialFailures.words("option-failures");
    private static final Set<String> HIDES = TrivialFailures.words("option-hides");
    private static final Set<String> EXCLUDES = TrivialFailures.words("option-excludes");
    private static final Set<String> NARROWING = TrivialFailures.words("narrowing-options");
    private static final Pattern SCRIPT_WORDS = Pattern.compile("[\\s;|&()'\"]+");
    private static final Pattern NUMBER = Pattern.compile("\\d+\\D{0,2}");
    private static final Set<String> MODULES = TrivialFailures.words("inert-modules");
    private static final Set<String> DETACHERS = TrivialFailures.words("detachers");
    private static final Set<String> DETACHED = TrivialFailures.words("detached-options");
    private static final Pattern OPTION_WORDS = Pattern.compile("[-_.:\\s]+|(?<=\\p{Ll})(?=\\p{Lu})");
    static final Set<String> OFF = Set.of("0", "false", "no", "off", "none", "never", "/dev/null");
    private static final Pattern HIDING_VALUE =
            Pattern.compile("^(?:SilentlyContinue|Continue|Ignore|lenient|permissive)", Pattern.CASE_INSENSITIVE);
    private static final Pattern RULE_OFF =
            Pattern.compile("[:=]\\s*+[\"']?+(?:off|none|0|false|ignore|disable)[\"']?+$", Pattern.CASE_INSENSITIVE);
    private static final Pattern ALL_FILES = Pattern.compile("[./*]+");
    private static final Set<String> ERROR_ACTIONS = Set.of("-ea", "-wa");
    private static final Set<String> SHORT_HELP = Set.of("-h", "-?", "-V", "-v", "/?");
    private static final int MAX_FLAGS = 5;
    private static final int VERB_POSITIONS = 2;

    private InertCall() {}

    /** Whether the second call does less than the first, by what it has and the first has not. */
    static boolean is(CallDiff difference) {
        CommandLine.Work before = difference.before();
        CommandLine.Work work = difference.after();
        if (before == null || work == null) {
            return difference.added().stream().anyMatch(member -> isInertMember(member, difference));
        }
        return difference.added().stream().anyMatch(word -> isInertOption(word, work.call(), difference))
                || hidesFailures(withOptions(difference.added(), work.words()))
                || hidesFailures(newScriptOptions(difference))
                || leavesOut(difference.output(), work.call(), difference.added())
                || difference.added().stream().anyMatch(MODULES::contains)
                || difference.removed().stream().anyMatch(InertCall::asksToFail)
                || difference.removed().stream().anyMatch(word -> asksToCheck(word, difference))
                || difference.removed().stream()
                        .anyMatch(word -> hasNewFlag(word, FAILING_FLAGS, work.call(), difference.added()))
                || isDetached(work.call(), difference.added())
                || isHelp(before.words(), work.words())
                || isBare(before.words(), work.words())
                || isInertVerb(before, work, difference)
                || isOtherTests(work, difference)
                || rewritesTheExpected(difference)
                || difference.added().isEmpty()
                        && work.call().operands().isEmpty()
                        && ALONE.contains(work.call().tool() + ':' + work.call().operation());
    }

    private static boolean isInertOption(String word, CommandLine.Call call, CallDiff difference) {
        boolean unruled =
                CHECKERS.contains(call.tool()) && UNRULED.matcher(word).find();
        return unruled
                || word.length() > 2 && word.charAt(0) == '-' && isOption(word, OPTIONS)
                || hasNewFlag(word, FLAGS, call, difference.removed());
    }

    /** The added words, with the option before a value that is another one: {@code --max-warnings 50} for 0. */
    private static List<String> withOptions(List<String> added, List<String> words) {
        List<String> all = new ArrayList<>();
        for (String word : added) {
            int at = words.indexOf(word);
            boolean value = at > 0 && !word.startsWith("-") && words.get(at - 1).startsWith("--");
            if (value) {
                all.add(words.get(at - 1));
            }
            all.add(word);
        }
        return all;
    }

    /** The options, with what follows them, that only the scripts among the added words have. */
    private static List<String> newScriptOptions(CallDiff difference) {
        String before = ' ' + String.join(" ", difference.removed()) + ' ';
        List<String> options = new ArrayList<>();
        for (String script : difference.added()) {
            List<String> words = SCRIPT_WORDS.splitAsStream(script).toList();
            for (int i = 0; i < words.size() && words.size() > 1; i++) {
                String next = i + 1 < words.size() ? words.get(i + 1) : "";
                if (words.get(i).startsWith("-") && !before.contains(words.get(i) + ' ' + next)) {
                    options.add(words.get(i));
                    options.add(next);
                }
            }
        }
        return options;
    }

    /**
     * Whether an option says to ignore failures, {@code --exit-zero} or {@code -Dtest.failure.ignore}, or sets the exit
     * code of failures to 0.
     */
    private static boolean hidesFailures(List<String> added) {
        for (int i = 0; i < added.size(); i++) {
            Set<String> words = optionWords(added.get(i));
            boolean hides = switchesOff(words, added, i);
            boolean failures = !Collections.disjoint(words, FAILURES)
                    || ERROR_ACTIONS.contains(added.get(i).toLowerCase(Locale.ROOT));
            boolean variable = added.get(i).indexOf('=') > 0 && added.get(i).charAt(0) != '-';
            if (hides && (failures || variable && !Collections.disjoint(words, HIDES))) {
                return true;
            }
        }
        return false;
    }

    /** Whether an option at a place, with these words in its name, switches off what it names. */
    static boolean switchesOff(Set<String> words, List<String> added, int place) {
        String value = value(added, place);
        boolean off = OFF.contains(value) || value.isEmpty() && added.get(place).indexOf('=') >= 0;
        return !words.contains("fast")
                && (words.contains("max") || !Collections.disjoint(words, HIDES)
                        ? !off
                        : off || HIDING_VALUE.matcher(value).find());
    }

    /**
     * Whether the call overwrites what the failed one compared with, as {@code --snapshot-update} does, or
     * {@code -u} after a snapshot that differs.
     */
    private static boolean rewritesTheExpected(CallDiff difference) {
        boolean compares = difference.output().names(EXPECTED_WORDS);
        return difference.added().stream().anyMatch(word -> {
            Set<String> words = optionWords(word);
            return compares && word.equals("-u")
                    || !Collections.disjoint(words, REWRITES) && (compares || !Collections.disjoint(words, EXPECTED));
        });
    }

    /**
     * Whether an option leaves out what failed, {@code --ignore=E501} after a finding of {@code E501}, or limits the
     * work to a part of it, {@code --only hosting}. An option that the output of the failure names does not count: the
     * output advised it.
     */
    private static boolean leavesOut(OutputLines output, CommandLine.Call call, List<String> added) {
        for (int i = 0; i < added.size(); i++) {
            String word = added.get(i);
            String value = value(added, i);
            if (word.length() < 3 || word.charAt(0) != '-' || value.isEmpty() || value.charAt(0) == '-') {
                continue;
            }
            String name = name(word);
            boolean excludes = (!Collections.disjoint(optionWords(word), EXCLUDES)
                            || RULE_OFF.matcher(value).find())
                    && output.names(value);
            boolean narrows =
                    isOption(name, NARROWING) || NARROWING.contains(call.tool() + ':' + name.replaceFirst("^-+", ""));
            boolean part = narrows && !NUMBER.matcher(value).matches() && !output.names(name);
            if (excludes || part) {
                return true;
            }
        }
        return false;
    }

    /** Whether a word asks a command to fail where it need not: {@code --fail-under=90}, {@code ON_ERROR_STOP=1}. */
    private static boolean asksToFail(String word) {
        Set<String> words = optionWords(word);
        return !Collections.disjoint(words, FAILURES) && Collections.disjoint(words, HIDES) && !words.contains("log");
    }

    /** Whether an option asks for a check that the other call does without: {@code --require-hashes}. */
    private static boolean asksToCheck(String word, CallDiff difference) {
        Set<String> words = optionWords(word);
        return word.startsWith("--")
                && word.indexOf('=') < 0
                && !Collections.disjoint(words, Shortcut.PROTECTS)
                && Collections.disjoint(words, HIDES)
                && !difference.output().namesAll(word);
    }

    /** The words of the name of an option or a variable, in lower case; none for another word. */
    static Set<String> optionWords(String word) {
        if (word.length() < 3 || word.charAt(0) != '-' && word.indexOf('=') < 0) {
            return Set.of();
        }
        return nameWords(PROPERTY.matcher(name(word)).replaceFirst(""));
    }

    /** The words of a name, in lower case. */
    static Set<String> nameWords(String name) {
        return OPTION_WORDS
                .splitAsStream(name)
                .map(part -> part.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /**
     * Whether another program starts the command and does not wait for it, or the call adds nothing but an option not
     * to wait: {@code --no-wait}, {@code up -d}.
     */
    private static boolean isDetached(CommandLine.Call call, List<String> added) {
        if (added.stream().anyMatch(DETACHERS::contains) && !added.contains("--wait")) {
            return true;
        }
        String flag = call.tool() + ':' + call.operation() + ":d";
        return !added.isEmpty()
                && added.stream()
                        .allMatch(word -> word.startsWith("--") && isOption(word, DETACHED)
                                || word.equals("-d") && DETACHED.contains(flag)
                                || word.equals("--wait=false")
                                || word.equals("--watch=false"));
    }

    /** An option or a variable without its value. */
    static String name(String word) {
        int sign = word.indexOf('=');
        return sign < 0 ? word : word.substring(0, sign);
    }

    /** The value of the option at a place: what follows its equals sign, else the next word; empty if there is none. */
    private static String value(List<String> words, int place) {
        int sign = words.get(place).indexOf('=');
        String next = place + 1 < words.size() ? words.get(place + 1) : "";
        return sign < 0 ? next : words.get(place).substring(sign + 1);
    }

    static boolean isOption(String word, Set<String> options) {
        String given = name(word);
        if (PROPERTY.matcher(given).find() && isOption(PROPERTY.matcher(word).replaceFirst("--"), options)) {
            return true;
        }
        String name = given.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
        boolean listed = options.contains(name);
        for (int end = name.length(); end > 2 && !listed; end--) {
            listed = options.contains(name.substring(0, end) + '*');
        }
        return listed && !word.endsWith("=false") && !word.endsWith("=none");
    }

    /** Whether a bundle of short options has a letter that is listed for the tool and not in other words. */
    static boolean hasNewFlag(String word, Set<String> listed, CommandLine.Call call, List<String> others) {
        if (word.length() < 2 || word.charAt(0) != '-' || word.charAt(1) == '-' || word.length() > MAX_FLAGS) {
            return false;
        }
        String known = String.join("", others);
        for (String flags : listed) {
            int colon = flags.lastIndexOf(':');
            String tool = flags.substring(0, colon);
            boolean same = tool.equals(call.tool()) || tool.equals(call.tool() + ':' + call.operation());
            if (same && word.chars().skip(1).anyMatch(c -> flags.indexOf(c, colon) > 0 && known.indexOf(c) < 0)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether tests failed, and the call runs other tests: it names them, or leaves some out; or the call examines some
     * files where all were examined.
     */
    private static boolean isOtherTests(CommandLine.Work work, CallDiff difference) {
        OutputLines output = difference.output();
        boolean checks = CHECKERS.contains(work.call().tool())
                && !output.names(USAGE_WORDS)
                && difference.before() != null
                && difference.before().call().operands().stream()
                        .allMatch(word -> word.startsWith("-")
                                || isVerb(word)
                                || ALL_FILES.matcher(word).matches());
        boolean runs = TESTS.contains(work.call().operation())
                || RUNNERS.contains(work.call().tool());
        boolean tests =
                output.names(FAILING_WORDS) && (runs || output.names(TEST_WORDS)) || runs && !output.names(USAGE_WORDS);
        if (!tests && !checks) {
            return false;
        }
        List<String> operands = work.words().subList(1, work.words().size());
        String before = "";
        for (String word : difference.added()) {
            boolean option = word.startsWith("-");
            boolean value = before.startsWith("-") && !before.equals("--");
            boolean named = !option && !value && operands.contains(unquoted(word));
            if (named && (tests || !isVerb(word)) || tests && option && isOption(word, TEST_SELECTORS)) {
                return true;
            }
            before = word;
        }
        return false;
    }

    /** Whether a call only asks for help: its first argument says so, and it has no argument of the call before. */
    private static boolean isHelp(List<String> before, List<String> after) {
        boolean asks = after.size() > 1 && SHORT_HELP.contains(after.get(1)) && !before.contains(after.get(1));
        return asks && Collections.disjoint(before.subList(1, before.size()), after.subList(1, after.size()));
    }

    /** Whether the first new operand is such a verb, in the place of one that is none. */
    private static boolean isInertVerb(CommandLine.Work before, CommandLine.Work after, CallDiff difference) {
        String removed = operand(difference.removed());
        String added = operand(difference.added());
        boolean own = VERBS.contains(after.call().tool() + ':' + added);
        if (removed == null || added == null || isVerb(removed) || !own && !isVerb(added)) {
            return false;
        }
        int position = after.words().indexOf(added);
        return added.indexOf(' ') > 0
                || position > 0 && position <= VERB_POSITIONS && before.words().contains(removed);
    }

    private static @Nullable String operand(List<String> words) {
        return words.stream()
                .filter(word -> !word.startsWith("-"))
                .map(InertCall::unquoted)
                .findFirst()
                .orElse(null);
    }

    /** Whether nothing but an option is left of a call that had an operand: {@code ghc --numeric-version}. */
    private static boolean isBare(List<String> before, List<String> after) {
        return after.size() == 2
                && after.get(1).startsWith("-")
                && !before.contains(after.get(1))
                && before.subList(1, before.size()).stream().anyMatch(word -> !word.startsWith("-"));
    }

    private static boolean isVerb(String operand) {
        int blank = operand.indexOf(' ');
        return VERBS.contains((blank < 0 ? operand : operand.substring(0, blank)).toLowerCase(Locale.ROOT));
    }

    /** Whether a member, such as {@code dryRun: true} or {@code action: explain}, is of a call that does not work. */
    private static boolean isInertMember(String member, CallDiff difference) {
        int colon = member.indexOf(": ");
        if (colon < 0) {
            return false;
        }
        String name = member.substring(0, colon);
        String value = unquoted(member.substring(colon + 2));
        if (value.equals("true") && isOption(name, OPTIONS)) {
            return true;
        }
        return !difference.first().info().pattern().contains("method")
                && isVerb(value)
                && difference.removed().stream()
                        .filter(other -> other.startsWith(name + ": "))
                        .anyMatch(other -> !isVerb(unquoted(other.substring(colon + 2))));
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() > 1 && (value.charAt(0) == '"' || value.charAt(0) == '\'');
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
