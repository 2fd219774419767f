package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.text.analysis.RuleFile;
import dev.xmem.core.text.hash.CommandLine;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes failures that are not worth recording: the process was stopped, a search had no result, or the command was
 * mistyped. For everything that records or offers to record on its own. Stateless; the rules are in
 * {@code trivial.txt}.
 */
public final class TrivialFailures {
    private static final List<RuleFile.Section> RULES = RuleFile.sections(TrivialFailures.class, "trivial.txt");
    private static final Set<String> STOPPED_CODES = Set.copyOf(rules("stopped-codes"));
    private static final Set<String> STOPPED_CLASSES = Set.copyOf(rules("stopped-classes"));
    private static final List<String> STOPPED_LINES = rules("stopped-lines");
    private static final Set<String> NOTHING_FOUND = Set.copyOf(rules("nothing-found"));
    private static final Set<String> DIFFERS = Set.copyOf(rules("differs"));
    private static final List<String> TRANSIENT = rules("transient");
    private static final String CAUSED_BY = "Caused by: ";

    private static final int MAX_CHARS = 4096;

    private TrivialFailures() {}

    /** Why a failure is not worth recording; null if it is. */
    public static @Nullable String reason(ToolCall call, ToolError error) {
        String outcome = outcomeReason(call, error);
        return outcome == null ? TypoDetector.reason(call, error) : outcome;
    }

    /** Why the exit code or the last line alone says that nothing was wrong with the call; null if neither does. */
    private static @Nullable String outcomeReason(ToolCall call, ToolError error) {
        Integer code = error.exitCode();
        if (code != null && STOPPED_CODES.contains(code.toString())) {
            return "it was stopped (exit code " + code + ")";
        }
        String last = lastLine(error.text());
        if (code == null ? namesStopInException(error.text()) : namesStop(last)) {
            return "it was interrupted";
        }
        String lower = last.toLowerCase(Locale.ROOT);
        if (STOPPED_LINES.stream().anyMatch(lower::startsWith)) {
            return "it was interrupted";
        }
        return code == null || code == 0 ? null : exitReason(call, code, error.text());
    }

    private static @Nullable String exitReason(ToolCall call, int code, String text) {
        CommandLine.Call last = CommandLine.ending(call.tool(), call.action());
        if (isListed(NOTHING_FOUND, last, code) && isEmptyResult(text)) {
            return last.tool() + " found nothing";
        }
        boolean complains =
                text.lines().anyMatch(line -> line.startsWith(last.tool() + ": ") || line.startsWith("fatal: "));
        return isListed(DIFFERS, last, code) && !complains ? last.tool() + " found a difference" : null;
    }

    /** Whether exit code 1 of a command says that it found nothing. */
    static boolean mayFindNothing(CommandLine.Call call) {
        return isListed(NOTHING_FOUND, call, 1);
    }

    private static boolean isListed(Set<String> rules, CommandLine.Call call, int code) {
        return rules.contains(call.tool() + " * " + code)
                || rules.contains(call.tool() + ' ' + call.operation() + ' ' + code);
    }

    /** No text, or only counts of zero, as {@code grep -c} prints them. */
    private static boolean isEmptyResult(String text) {
        return text.length() < MAX_CHARS
                && text.lines().allMatch(line -> line.isBlank() || line.strip().equals("0") || line.endsWith(":0"));
    }

    /** Whether the exception in the first line, or a cause, says that the call was stopped. */
    private static boolean namesStopInException(String text) {
        return CallTruncation.head(text, MAX_CHARS)
                .lines()
                .filter(line -> line.startsWith(CAUSED_BY) || text.startsWith(line))
                .anyMatch(line -> namesStop(line.startsWith(CAUSED_BY) ? line.substring(CAUSED_BY.length()) : line));
    }

    private static String lastLine(String text) {
        String end = text.stripTrailing();
        return end.substring(end.lastIndexOf('\n') + 1);
    }

    private static boolean namesStop(String line) {
        return STOPPED_CLASSES.contains(line.split("[:\\s]", 2)[0]);
    }

    /** Whether the text names a transient network failure. */
    static boolean isTransient(String text) {
        String lower = CallTruncation.head(text, MAX_CHARS).toLowerCase(Locale.ROOT);
        return TRANSIENT.stream().anyMatch(lower::contains);
    }

    /** The lines of a section. */
    static List<String> rules(String section) {
        return RuleFile.body(RULES, section);
    }

    /** The words of a section. */
    static Set<String> words(String section) {
        Set<String> words = new HashSet<>();
        for (String line : rules(section)) {
            words.addAll(List.of(line.split(" ", -1)));
        }
        return words;
    }
}
