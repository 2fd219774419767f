package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.json.MalformedLineException;
import dev.xmem.core.base.json.RawJson;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RuleFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads whether a tool's output says that it failed, where no exit code does. A line says so by how it begins or by a phrase
 * in it; a line that says that there were no errors says nothing. Of a JSON answer the fields that are made for it are read.
 * Of a tool that shows somebody else's text only what it says in its own name counts, or an answer of a few lines. Immutable and thread-safe; the rules
 * are in {@code output.txt}.
 */
final class OutputClassifier {
    private static final List<RuleFile.Section> RULES = RuleFile.sections(OutputClassifier.class, "output.txt");
    private static final List<String> BENIGN = RuleFile.body(RULES, "benign");
    private static final List<String> STARTS = RuleFile.body(RULES, "starts");
    private static final List<String> WITHIN = RuleFile.body(RULES, "within");
    private static final List<String> ITEMS = RuleFile.body(RULES, "items");
    private static final Set<String> FAILED_STATUS = Set.copyOf(RuleFile.body(RULES, "json-failed-status"));
    private static final Set<String> CONTENT_TOOLS = Set.copyOf(RuleFile.body(RULES, "content-tools"));
    private static final Set<String> CONTENT_OPERATIONS = Set.copyOf(RuleFile.body(RULES, "content-operations"));

    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*+\"");

    private static final int HEAD_LINES = 12;
    private static final int TAIL_LINES = 12;
    private static final int MOST_ANSWER_LINES = 3;
    private static final int MOST_LINE_CHARS = 300;
    private static final int MOST_JSON_CHARS = 65_536;
    private static final int FIRST_ERROR_STATUS = 400;
    private static final int LAST_ERROR_STATUS = 599;

    private final LineCodec codec;

    OutputClassifier(LineCodec codec) {
        this.codec = codec;
    }

    /**
     * Whether this output of the call says that it failed.
     *
     * @param exited whether the output is of a process, which ended with code 0
     */
    boolean saysFailure(ToolCall call, String output, boolean exited) {
        Boolean json = output.stripLeading().startsWith("{") ? json(output.strip()) : null;
        if (json != null) {
            return json;
        }
        List<String> lines = lines(output);
        CommandLine.Call ending = CommandLine.ending(call.tool(), call.action());
        if (showsContent(ending)) {
            String own = ending.tool() + ": ";
            boolean answer = !exited && call.action().startsWith("{") && lines.size() <= MOST_ANSWER_LINES;
            return answer && !lines.isEmpty() && saysFailure(lines.get(0))
                    || lines.stream()
                            .anyMatch(line -> line.startsWith(own) && saysFailure(line.substring(own.length())));
        }
        return lines.stream().anyMatch(OutputClassifier::saysFailure);
    }

    private static boolean showsContent(CommandLine.Call call) {
        return CONTENT_TOOLS.contains(call.tool()) || CONTENT_OPERATIONS.contains(call.tool() + ' ' + call.operation());
    }

    /** The first and the last lines that are not blank: what went wrong stands at either end. */
    private static List<String> lines(String output) {
        List<String> all = new ArrayList<>();
        output.lines().filter(line -> !line.isBlank()).forEach(all::add);
        if (all.size() <= HEAD_LINES + TAIL_LINES) {
            return all;
        }
        List<String> ends = new ArrayList<>(all.subList(0, HEAD_LINES));
        ends.addAll(all.subList(all.size() - TAIL_LINES, all.size()));
        return ends;
    }

    private static boolean saysFailure(String line) {
        String text = CallTruncation.head(line.strip(), MOST_LINE_CHARS).toLowerCase(Locale.ROOT);
        if (ITEMS.stream().anyMatch(item -> begins(text, item))
                || BENIGN.stream().anyMatch(phrase -> has(text, phrase))) {
            return false;
        }
        String bare = undecorated(text);
        return isException(bare) || STARTS.stream().anyMatch(start -> begins(bare, start)) || saysWithin(text);
    }

    /** What stands in quotes is somebody else's text. */
    private static boolean saysWithin(String text) {
        String own = text.indexOf('"') < 0 ? text : QUOTED.matcher(text).replaceAll("\"\"");
        return WITHIN.stream().anyMatch(own::contains);
    }

    /** A phrase that begins with a digit is no part of a longer number: "0 errors" is not in "10 errors". */
    private static boolean has(String text, String phrase) {
        int at = text.indexOf(phrase);
        boolean number = Character.isDigit(phrase.charAt(0));
        while (at > 0 && number && Character.isDigit(text.charAt(at - 1))) {
            at = text.indexOf(phrase, at + 1);
        }
        return at >= 0 && !continuesNumber(text, at + phrase.length());
    }

    private static boolean continuesNumber(String text, int end) {
        return end < text.length() && Character.isDigit(text.charAt(end)) && Character.isDigit(text.charAt(end - 1));
    }

    /** A beginning that ends in a letter or digit ends at the end of a word. */
    private static boolean begins(String text, String start) {
        return text.startsWith(start)
                && (text.length() == start.length()
                        || !Character.isLetterOrDigit(start.charAt(start.length() - 1))
                        || !Character.isLetter(text.charAt(start.length())));
    }

    /** {@code java.io.IOException: …}, or {@code ValueError: …}: a name that ends so, and a colon or the end. */
    private static boolean isException(String text) {
        int end = 0;
        while (end < text.length()
                && (Character.isLetterOrDigit(text.charAt(end)) || "._$".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        String name = text.substring(0, end);
        boolean named = name.endsWith("exception") || name.endsWith("error") || name.endsWith("panic");
        return named && name.length() > 5 && (end == text.length() || text.charAt(end) == ':');
    }

    /** Without time, brackets, bullets and the tool's level in front. */
    private static String undecorated(String text) {
        int from = 0;
        while (from < text.length() && !Character.isLetter(text.charAt(from)) && text.charAt(from) != '<') {
            if (Character.isDigit(text.charAt(from)) && !startsTime(text, from)) {
                break;
            }
            from = Character.isDigit(text.charAt(from)) ? afterTime(text, from) : from + 1;
        }
        String bare = text.substring(from);
        int bracket = Math.max(bare.indexOf(']'), bare.indexOf(')'));
        return bracket > 0 && bracket < 10 && bare.substring(0, bracket).chars().allMatch(Character::isLetter)
                ? bare.substring(0, bracket) + ':' + bare.substring(bracket + 1)
                : bare;
    }

    private static boolean startsTime(String text, int from) {
        int end = afterTime(text, from);
        return end - from >= 5
                && end < text.length()
                && text.substring(from, end).chars().anyMatch(c -> c == ':' || c == '-');
    }

    private static int afterTime(String text, int from) {
        int i = from;
        while (i < text.length() && (Character.isDigit(text.charAt(i)) || "-:.,tz+/".indexOf(text.charAt(i)) >= 0)) {
            i++;
        }
        return Math.max(i, from + 1);
    }

    /** What a JSON object says; null if it is none. */
    private @Nullable Boolean json(String output) {
        if (output.length() > MOST_JSON_CHARS) {
            return null;
        }
        try {
            Map<String, Object> fields = codec.fields(output.getBytes(StandardCharsets.UTF_8));
            return fields.entrySet().stream()
                    .anyMatch(field -> saysFailure(field.getKey().toLowerCase(Locale.ROOT), field.getValue()));
        } catch (MalformedLineException e) {
            return null;
        }
    }

    private static boolean saysFailure(String name, Object value) {
        String text = value instanceof RawJson raw ? raw.text() : value.toString();
        String lower = text.strip().toLowerCase(Locale.ROOT);
        return switch (name) {
            case "error", "errors", "err", "exception", "error_message", "errormessage", "fault" -> !isNothing(lower);
            case "iserror", "is_error", "failed", "haserror", "has_error" -> lower.equals("true");
            case "ok", "success", "successful", "succeeded" -> lower.equals("false");
            case "exitcode", "exit_code", "returncode", "return_code" -> isNumber(lower) && !lower.equals("0");
            case "status", "state", "result", "outcome", "conclusion", "statuscode", "status_code", "code" ->
                FAILED_STATUS.contains(lower) || isErrorStatus(lower);
            default -> false;
        };
    }

    private static boolean isNothing(String value) {
        return value.isEmpty()
                || Set.of("none", "null", "false", "0", "[]", "{}", "no", "ok").contains(value);
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.length() < 10 && text.chars().allMatch(c -> c == '-' || Character.isDigit(c));
    }

    private static boolean isErrorStatus(String text) {
        boolean number = text.length() == 3 && text.chars().allMatch(Character::isDigit);
        return number && Integer.parseInt(text) >= FIRST_ERROR_STATUS && Integer.parseInt(text) <= LAST_ERROR_STATUS;
    }
}
