package dev.xmem.core.agent.guard;

import dev.xmem.core.text.hash.CommandLine;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Recognizes the lines in which test runners, linters and build tools say that something failed: {@code 1 failed, 12
 * passed}, {@code Failures: 1}, {@code --- FAIL: TestX}, {@code BUILD FAILURE}, {@code not ok 3}. A count of zero, a
 * number within a sentence, what is quoted and what was expected to fail are none. Stateless.
 */
final class FailureCounts {
    private static final String BAD = "(?:failed|failing|fails?|failures?|errors?|errored|offen[cs]es?|violations?)";
    private static final String HARMLESS =
            "(?!(?:\\p{L}++[ -]){0,2}(?:expected|known|allowed|ignored|previous|previously|fixed|no)\\b)";

    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*+\"|`[^`]*+`|\u001B\\[[\\d;]*+m");
    /** What precedes the text of a line: rulers, bullets, a time, a level in brackets. */
    private static final Pattern DECORATION = Pattern.compile(
            "^(?:\\[(?:INFO|ERROR|WARN|WARNING)]\\s*+|\\d[\\d:.,TZ+/-]{6,}+\\s|[^\\p{L}\\p{Nd}])++",
            Pattern.CASE_INSENSITIVE);

    /** A number of failures at the beginning of a part of a line, and nothing behind it but a place or a time. */
    private static final Pattern COUNT = Pattern.compile(
            "(?:^|[;|:(]\\s*+|,\\s++|\\s[-–—]\\s++|\\b(?:found|with|and|ran|was|were)\\s++|^\\p{L}++(?: \\p{L}++)?+\\s{2,}+)"
                    + "[1-9]\\d{0,5}+(?:(?:/| of | out of )\\d++)?+ " + HARMLESS + "(?:\\p{L}++ ){0,2}" + BAD
                    + "(?=[\\s.!]*+$|\\s?[,;|:)(\\]]|\\s++(?:in|and|out of|across|after|found|detected|generated|total"
                    + "|remaining|reported|remain|-|=))",
            Pattern.CASE_INSENSITIVE);

    /** {@code Failures: 1}, {@code failed=2}, {@code Failed 1/2 subtests}. */
    private static final Pattern NAMED = Pattern.compile(
            "(?<![\\p{L}\\p{Nd}_.$-])(?<!\\b(?:expected|known|allowed|ignored|previous) )"
                    + "(?:(?:failed|failures?|fail|errors?)(?:: {0,8}|=)|(?:failed|failures?|fail) (?=\\d++(?:$|/\\d|,)))"
                    + "[1-9]\\d{0,5}+(?=$|[\\s,;.)\\]/])(?!\\s*+[\\p{L}'\"<])"
                    + "|=\\d{1,6}+ {1,8}+(?:failed|failures)=[1-9]\\d{0,5}+ {1,8}+\\p{L}++=\\d++(?![\\d.])",
            Pattern.CASE_INSENSITIVE);

    /** What was found was fixed: {@code Found 3 errors (3 fixed, 0 remaining)}. */
    private static final Pattern FIXED = Pattern.compile("\\b(?:0 remaining|0 remain)\\b|\\bfixed\\b(?!.*remaining)");

    /** A word in capitals that begins a line, or ends it: {@code FAIL src/a.test.js}, {@code Task :test FAILED}. */
    private static final Pattern MARK =
            Pattern.compile("^(?:\\p{Lu}{2,12}+ )?FAIL(?:ED|URES?|S)?(?![\\p{L}\\p{Nd}_.,(-])"
                    + "(?!\\s*+\\|)|(?<!\\b(?:to|as|is|of|or|and|not|a|the)) FAIL(?:ED|URE)?(?= in \\d|\\s*+\\[\\s*+\\d++%]$|$)"
                    + "|^[\\p{L}\\d_.-]{2,40}+: FAIL(?:ED)?(?: code \\d| [(]|$)|\\.{3}\\s?+(?:FAILED|Failed)$"
                    + "|\\b[Ss]ome tests failed\\b");

    private static final Pattern NOT_OK = Pattern.compile("^\\s*+not ok\\b(?!.*# ?(?:TODO|SKIP)\\b)");

    private static final Set<String> LISTERS = TrivialFailures.words("listers");
    private static final Set<String> LISTING = TrivialFailures.words("listing-words");
    private static final Set<String> SCRIPTED = TrivialFailures.words("scripted");
    private static final Pattern TESTING = Pattern.compile(
            "(?<!\\p{L})(?:(?:py|unit|doc|self)?tests?|testing|specs?|checks?|checker|\\p{L}*lint|mypy|ruff)(?!\\p{L}|\\.log)",
            Pattern.CASE_INSENSITIVE);

    private FailureCounts() {}

    /**
     * Whether the counts that a command prints are of its own work: not those of one that lists or queries the work of
     * others, and of an interpreter only if the beginning of its command line says that it tests or examines something.
     */
    static boolean areOf(CommandLine.Call call) {
        boolean lists = Stream.of(call.operation().split("[-_:]")).anyMatch(LISTING::contains)
                || call.operands().stream().limit(1).anyMatch(word -> word.equals("help") || word.startsWith("list"));
        if (lists || LISTERS.contains(call.tool())) {
            return false;
        }
        if (!SCRIPTED.contains(call.tool())) {
            return true;
        }
        int script = 0;
        while (script < call.words().size() && call.words().get(script).startsWith("-")) {
            script++;
        }
        String begin = String.join(
                " ", call.words().subList(0, Math.min(script + 1, call.words().size())));
        return TESTING.matcher(begin).find()
                || script + 1 < call.words().size()
                        && TESTING.matcher(call.words().get(script + 1)).matches();
    }

    /** Whether a line of at most some hundred characters says that something failed. */
    static boolean isIn(String line) {
        if (!hasStem(line)) {
            return false;
        }
        if (NOT_OK.matcher(line).find()) {
            return true;
        }
        String said = QUOTED.matcher(line).replaceAll("").stripTrailing();
        String text = DECORATION.matcher(said).replaceFirst("");
        return MARK.matcher(text).find()
                || (COUNT.matcher(text).find() || NAMED.matcher(text).find())
                        && !FIXED.matcher(text).find();
    }

    /** Whether the line has one of the words that all patterns need: most lines of an output have none. */
    private static boolean hasStem(String line) {
        for (int i = 0; i < line.length(); i++) {
            String stem = switch (line.charAt(i) | ' ') {
                case 'f' -> "fail";
                case 'e' -> "err";
                case 'o' -> "offen";
                case 'v' -> "violation";
                case 'n' -> "not ok";
                default -> "";
            };
            if (!stem.isEmpty() && line.regionMatches(true, i, stem, 0, stem.length())) {
                return true;
            }
        }
        return false;
    }
}
