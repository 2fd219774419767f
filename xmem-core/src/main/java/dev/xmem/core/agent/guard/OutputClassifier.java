package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.text.analysis.RuleFile;
import dev.xmem.core.text.hash.CommandLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Classifies a tool's output as a failure or not, when no exit code does.
 *
 * <ul>
 *   <li>In a JSON object the members that report a status decide.
 *   <li>In plain text each of the first and last lines is classified by its beginning and by phrases in it. Phrases
 *       that report the absence of errors are excluded first.
 *   <li>Where the exit code is not that of the command, a line that counts failures is one, {@link FailureCounts}.
 *   <li>A tool that prints the content of files, such as {@code cat}, fails only by lines that begin with its name, or
 *       by the first line of a short answer without an exit code.
 * </ul>
 *
 * Stateless; the rules are in {@code output.txt}.
 */
final class OutputClassifier {
    private static final Set<String> HTTP_CLIENTS = Set.of("curl", "wget", "http", "https", "xh");
    private static final Set<String> EMPTY_VALUES = Set.of("", "none", "null", "false", "0", "[]", "{}", "no", "ok");
    /** The members of a process's result, as tools name them. */
    private static final List<String> EXIT_CODES =
            List.of("exit_code", "exitCode", "returncode", "return_code", "exit", "code", "status");

    private static final List<String> OUTPUTS = List.of("output", "stdout", "stderr", "aggregated_output");
    private static final Set<String> PROCESS =
            Set.of("stdout", "stderr", "exit_code", "exitCode", "returncode", "return_code", "interrupted");
    private static final int INTERRUPTED = 130;
    /** A level without a colon, as some tools print it. */
    private static final String ERROR_LEVEL = "error ";

    /** The rules, read for the first output without an exit code: most hooks need none of them. */
    private static final class Rules {
        static final List<RuleFile.Section> RULES = RuleFile.sections(OutputClassifier.class, "output.txt");
        static final List<String> BENIGN = RuleFile.body(RULES, "benign");
        static final List<String> IDLE = RuleFile.body(RULES, "idle");
        static final List<String> IDLE_STARTS = RuleFile.body(RULES, "idle-starts");
        static final List<String> IDLE_ENDS = RuleFile.body(RULES, "idle-ends");
        static final List<String> IDLE_TESTS = RuleFile.body(RULES, "idle-tests");
        static final List<String> STARTS = RuleFile.body(RULES, "starts");
        static final List<String> WITHIN = RuleFile.body(RULES, "within");
        static final List<String> ITEMS = RuleFile.body(RULES, "items");
        static final Set<String> FAILED_STATUS = Set.copyOf(RuleFile.body(RULES, "json-failed-status"));
        static final Set<String> CONTENT_TOOLS = Set.copyOf(RuleFile.body(RULES, "content-tools"));
        static final Set<String> CONTENT_OPERATIONS = Set.copyOf(RuleFile.body(RULES, "content-operations"));

        static final Pattern HTTP_FAILURE = Pattern.compile("(?:HTTP/[\\d.]{1,4} )?[45]\\d\\d");

        static final Pattern QUOTED = Pattern.compile("\"[^\"]*+\"");
        static final Pattern DECORATION = Pattern.compile(
                "\\A(?:[^\\p{L}\\p{Nd}<]" + "|(?=[\\p{Nd}.,tz+/]*+[:-])\\p{Nd}[\\p{Nd}:.,tz+/-]{4,}+(?!\\z))*+");
        static final Pattern EXCEPTION =
                Pattern.compile("(?s)(?:[\\p{L}\\p{Nd}._$]*exception|[\\p{L}\\p{Nd}._$]+(?:error|panic))(?::.*)?");

        /** A program's name and a mark that it puts before errors only: {@code make: *** …}, {@code curl: (6) …}. */
        static final Pattern DIAGNOSTIC = Pattern.compile("^[\\w.+/-]{1,40}: (?:\\*\\*\\*|\\(\\d{1,3}\\)) ");

        /** A number and a noun. */
        static final Pattern COUNT = Pattern.compile("^\\d{1,6} \\p{L}{1,20} ");

        /** Says that tests ran. */
        static final Pattern RAN =
                Pattern.compile("(?<![\\d.])[1-9]\\d{0,6} (?:tests? )?(?:passed|passing|tests?|examples|specs"
                        + "|scenarios)\\b|tests run: {0,4}[1-9]|^ok\\s+\\S+\\s+[\\d(]");

        /** {@code 1 failed}, {@code Failures: 2}, but not {@code 0 failures}. */
        static final Pattern COUNTED = Pattern.compile(
                "(?<![\\d.])[1-9]\\d{0,5} (?:tests? )?(?:failed|failing|failures?)\\b|\\b(?:failed|failures): {0,6}[1-9]",
                Pattern.CASE_INSENSITIVE);

        /** A member of a JSON object whose value is a word or a number. */
        static final Pattern MEMBER =
                Pattern.compile("\"([A-Za-z_]{2,24})\"\\s{0,4}:\\s{0,4}\"?+([\\w-]{1,32})(?=[\"\\s,}])");
    }

    private static final int HEAD_LINES = 12;
    private static final int TAIL_LINES = 12;
    private static final int MAX_ANSWER_LINES = 3;
    private static final int MAX_LINE_CHARS = 300;
    private static final int MAX_JSON_CHARS = 65_536;

    private OutputClassifier() {}

    /** Whether the output of a call that runs no command reports a failure. */
    static boolean reportsFailure(ToolCall call, String output) {
        List<String> lines = lines(output);
        Boolean json = json(output);
        if (json != null) {
            return json;
        }
        CommandLine.Call tool = CommandLine.of(call.tool(), call.action());
        boolean shortAnswer = !lines.isEmpty() && lines.size() <= MAX_ANSWER_LINES;
        return printsContent(tool)
                ? shortAnswer && reportsFailure(lines.get(0)) || complains(tool, lines)
                : lines.stream().anyMatch(OutputClassifier::reportsFailure);
    }

    /**
     * Whether the output of a command line reports a failure. If the exit code is not that of the command, all lines
     * count.
     *
     * @param work the command that did the work
     * @param exited whether the exit code is 0, not unknown
     */
    static boolean reportsFailure(ToolCall call, CommandLine.Work work, String output, boolean exited) {
        Boolean json = json(output);
        if (json != null) {
            return json;
        }
        if (HTTP_CLIENTS.contains(work.call().tool())
                && Rules.HTTP_FAILURE.matcher(output.strip()).matches()) {
            return true;
        }
        boolean proven = exited && work.exits();
        List<String> lines = proven ? lines(output) : output.lines().toList();
        CommandLine.Call last = CommandLine.ending(call.tool(), call.action());
        CommandLine.Call printer = proven && printsContent(last) ? last : work.call();
        if (printsContent(printer)) {
            return complains(printer, lines);
        }
        boolean counts = !proven
                && !HTTP_CLIENTS.contains(work.call().tool())
                && !SessionCall.isReadOnly(work.call())
                && FailureCounts.areOf(work.call());
        return lines.stream().anyMatch(line -> reportsFailure(line) || counts && countsFailures(line));
    }

    /** Whether a line of a command's own output, which is no item of a list, says how many failed. */
    private static boolean countsFailures(String line) {
        String text = CallTruncation.head(line.strip(), MAX_LINE_CHARS);
        return FailureCounts.isIn(text)
                && Rules.ITEMS.stream().noneMatch(item -> begins(text.toLowerCase(Locale.ROOT), item));
    }

    /** Whether a line says that nothing was run or changed, and none that tests ran. */
    static boolean isIdle(String output) {
        List<String> lines = lines(output).stream()
                .map(line -> CallTruncation.head(line.strip(), MAX_LINE_CHARS).toLowerCase(Locale.ROOT))
                .toList();
        if (lines.stream().anyMatch(OutputClassifier::isIdleLine)) {
            return true;
        }
        List<String> tests = lines.stream()
                .filter(line -> Rules.IDLE_TESTS.stream().noneMatch(phrase -> has(line, phrase)))
                .toList();
        return tests.size() < lines.size()
                && tests.stream().noneMatch(line -> Rules.RAN.matcher(line).find());
    }

    private static boolean isIdleLine(String line) {
        String start = Rules.COUNT.matcher(line).replaceFirst("");
        String end = line.replaceFirst("[.!]$", "");
        return Rules.IDLE.stream().anyMatch(phrase -> has(line, phrase))
                || Rules.IDLE_STARTS.stream().anyMatch(phrase -> begins(start, phrase))
                || Rules.IDLE_ENDS.stream().anyMatch(end::endsWith);
    }

    /**
     * Whether an output mentions failures that need not be those of the call: it counts some, or is a JSON text with a
     * member, however deep, whose status is a failure: {@code [{"state":"FAILURE"}]}.
     */
    static boolean mentionsFailures(String output) {
        return lines(output).stream()
                        .anyMatch(line -> Rules.COUNTED
                                .matcher(CallTruncation.head(line, MAX_LINE_CHARS))
                                .find())
                || hasFailedMember(output);
    }

    private static boolean hasFailedMember(String output) {
        String json = output.strip();
        if (json.isEmpty() || json.length() > MAX_JSON_CHARS || "[{".indexOf(json.charAt(0)) < 0) {
            return false;
        }
        Matcher member = Rules.MEMBER.matcher(json);
        while (member.find()) {
            if (reportsFailure(member.group(1).toLowerCase(Locale.ROOT), member.group(2))) {
                return true;
            }
        }
        return false;
    }

    /** Whether the command that did a call's work prints the content of files. */
    static boolean printsContent(String tool, String action) {
        return printsContent(CommandLine.of(tool, action));
    }

    private static boolean printsContent(CommandLine.Call call) {
        return Rules.CONTENT_TOOLS.contains(call.tool())
                || Rules.CONTENT_OPERATIONS.contains(call.tool() + ' ' + call.operation());
    }

    /** Whether a line begins with the tool's name and reports a failure. */
    private static boolean complains(CommandLine.Call call, List<String> lines) {
        String prefix = call.tool() + ": ";
        return lines.stream()
                .anyMatch(line -> line.startsWith(prefix) && reportsFailure(line.substring(prefix.length())));
    }

    /** The result of a process that a tool returned as a JSON object, as its exit code and its output. */
    static ToolError unwrapped(ToolError given) {
        Integer code = given.exitCode();
        if (code != null && code != 0 || !given.text().stripLeading().startsWith("{")) {
            return given;
        }
        Map<String, Object> fields = fields(given.text());
        List<String> output = OUTPUTS.stream()
                .map(fields::get)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .filter(text -> !text.isBlank())
                .toList();
        boolean isProcess = fields.keySet().stream().anyMatch(PROCESS::contains);
        if (!isProcess) {
            return given;
        }
        Integer own = code;
        for (String name : EXIT_CODES) {
            String value = text(fields.get(name));
            own = value.matches("-?\\d{1,9}") ? Integer.valueOf(value) : own;
        }
        own = text(fields.get("interrupted")).equals("true") ? Integer.valueOf(INTERRUPTED) : own;
        return CallTruncation.error(own, String.join("\n", output));
    }

    /** The first and the last lines that are not blank: an error is usually at either end of the output. */
    private static List<String> lines(String output) {
        List<String> all = output.lines().filter(line -> !line.isBlank()).toList();
        if (all.size() <= HEAD_LINES + TAIL_LINES) {
            return all;
        }
        List<String> ends = new ArrayList<>(all.subList(0, HEAD_LINES));
        ends.addAll(all.subList(all.size() - TAIL_LINES, all.size()));
        return ends;
    }

    private static boolean reportsFailure(String line) {
        String text = CallTruncation.head(line.strip(), MAX_LINE_CHARS).toLowerCase(Locale.ROOT);
        if (Rules.ITEMS.stream().anyMatch(item -> begins(text, item))
                || Rules.BENIGN.stream().anyMatch(phrase -> has(text, phrase))) {
            return false;
        }
        String bare = undecorated(text);
        return Rules.EXCEPTION.matcher(bare).matches()
                || Rules.DIAGNOSTIC.matcher(text).find()
                || hasStart(bare)
                || bare.startsWith(ERROR_LEVEL) && hasStart(bare.substring(ERROR_LEVEL.length()))
                || hasPhrase(text);
    }

    private static boolean hasStart(String text) {
        return Rules.STARTS.stream().anyMatch(start -> begins(text, start));
    }

    /** Whether the line has a phrase outside quotes: quoted text is not the tool's own. */
    private static boolean hasPhrase(String text) {
        String unquoted =
                text.indexOf('"') < 0 ? text : Rules.QUOTED.matcher(text).replaceAll("\"\"");
        return Rules.WITHIN.stream().anyMatch(unquoted::contains);
    }

    /** Whether the text has a phrase, not as part of a longer number: "0 errors" is not in "10 errors". */
    private static boolean has(String text, String phrase) {
        int at = text.indexOf(phrase);
        boolean number = Character.isDigit(phrase.charAt(0));
        while (at > 0 && number && Character.isDigit(text.charAt(at - 1))) {
            at = text.indexOf(phrase, at + 1);
        }
        int end = at + phrase.length();
        return at >= 0
                && !(end < text.length()
                        && Character.isDigit(text.charAt(end))
                        && Character.isDigit(text.charAt(end - 1)));
    }

    /** Whether the text begins with a prefix; one that ends in a letter or digit must end at a word boundary. */
    private static boolean begins(String text, String start) {
        return text.startsWith(start)
                && (text.length() == start.length()
                        || !Character.isLetterOrDigit(start.charAt(start.length() - 1))
                        || !Character.isLetter(text.charAt(start.length())));
    }

    /** The line without a leading timestamp, brackets and bullets; {@code [error]} becomes {@code error:}. */
    private static String undecorated(String text) {
        String bare = Rules.DECORATION.matcher(text).replaceFirst("");
        int bracket = Math.max(bare.indexOf(']'), bare.indexOf(')'));
        return bracket > 0 && bracket < 10 && bare.substring(0, bracket).chars().allMatch(Character::isLetter)
                ? bare.substring(0, bracket) + ':' + bare.substring(bracket + 1)
                : bare;
    }

    /** Classifies a JSON object; null if the text is not one, or too long. */
    private static @Nullable Boolean json(String output) {
        Map<String, Object> fields = fields(output);
        return fields.isEmpty()
                ? null
                : fields.entrySet().stream()
                        .anyMatch(field -> reportsFailure(field.getKey().toLowerCase(Locale.ROOT), field.getValue()));
    }

    /** The members of a JSON object; empty if the text is not one, or too long. */
    private static Map<String, Object> fields(String text) {
        String json = text.strip();
        if (!json.startsWith("{") || json.length() > MAX_JSON_CHARS) {
            return Map.of();
        }
        try {
            return LineCodec.fields(json.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedLineException e) {
            return Map.of();
        }
    }

    private static String text(@Nullable Object value) {
        return value instanceof RawJson raw ? raw.text() : String.valueOf(value);
    }

    private static boolean reportsFailure(String name, Object value) {
        String lower = text(value).strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "error", "errors", "err", "exception", "error_message", "errormessage", "fault" ->
                !EMPTY_VALUES.contains(lower);
            case "iserror", "is_error", "failed", "haserror", "has_error" -> lower.equals("true");
            case "ok", "success", "successful", "succeeded" -> lower.equals("false");
            case "exitcode", "exit_code", "returncode", "return_code" ->
                lower.matches("[-\\p{Nd}]{1,9}") && !lower.equals("0");
            case "status", "state", "result", "outcome", "conclusion", "statuscode", "status_code", "code" ->
                Rules.FAILED_STATUS.contains(lower) || lower.matches("[45]\\d\\d");
            default -> false;
        };
    }
}
