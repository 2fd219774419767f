package dev.xmem.core.agent.guard;

import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.core.text.hash.CommandLine;
import dev.xmem.core.text.hash.RuleFile;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells apart what failed only by its exit code: somebody stopped it, or a search found nothing. Stateless; the rules are
 * in {@code trivial.txt}.
 */
final class TrivialFailures {
    private static final List<RuleFile.Section> RULES = RuleFile.sections(TrivialFailures.class, "trivial.txt");
    private static final Set<String> STOPPED_CODES = Set.copyOf(RuleFile.body(RULES, "stopped-codes"));
    private static final Set<String> STOPPED_CLASSES = Set.copyOf(RuleFile.body(RULES, "stopped-classes"));
    private static final Set<String> NOTHING_FOUND = Set.copyOf(RuleFile.body(RULES, "nothing-found"));
    private static final Set<String> DIFFERS = Set.copyOf(RuleFile.body(RULES, "differs"));
    private static final List<String> BLIPS = RuleFile.body(RULES, "blips");
    private static final String CAUSED_BY = "Caused by: ";
    private static final int MOST_CHARS = 4096;

    private TrivialFailures() {}

    /** Why a failure is none; null if it is one. */
    static @Nullable String reason(ToolCall call, ToolError error) {
        Integer code = error.exitCode();
        if (code != null && STOPPED_CODES.contains(code.toString())) {
            return "it was stopped (exit code " + code + ")";
        }
        if (code == null ? isStopped(error.text()) : isStoppedProgram(error.text())) {
            return "it was interrupted";
        }
        return code == null || code == 0 ? null : exitReason(call, code, error.text());
    }

    private static @Nullable String exitReason(ToolCall call, int code, String text) {
        CommandLine.Call ending = CommandLine.ending(call.tool(), call.action());
        if (isListed(NOTHING_FOUND, ending, code) && saysNothing(text)) {
            return ending.tool() + " found nothing";
        }
        boolean complains =
                text.lines().anyMatch(line -> line.startsWith(ending.tool() + ": ") || line.startsWith("fatal: "));
        return isListed(DIFFERS, ending, code) && !complains ? ending.tool() + " found a difference" : null;
    }

    private static boolean isListed(Set<String> rules, CommandLine.Call call, int code) {
        return rules.contains(call.tool() + " * " + code)
                || rules.contains(call.tool() + ' ' + call.operation() + ' ' + code);
    }

    /** No text, or only counts that are zero, as {@code grep -c} prints them. */
    private static boolean saysNothing(String text) {
        return text.length() < MOST_CHARS
                && text.lines().allMatch(line -> line.isBlank() || line.strip().equals("0") || line.endsWith(":0"));
    }

    private static boolean isStopped(String text) {
        return CallTruncation.head(text, MOST_CHARS)
                .lines()
                .filter(line -> line.startsWith(CAUSED_BY) || text.startsWith(line))
                .anyMatch(
                        line -> isStoppedClass(line.startsWith(CAUSED_BY) ? line.substring(CAUSED_BY.length()) : line));
    }

    /** A program that was stopped says so in its last line. */
    private static boolean isStoppedProgram(String text) {
        String end = text.stripTrailing();
        return isStoppedClass(end.substring(end.lastIndexOf('\n') + 1));
    }

    private static boolean isStoppedClass(String line) {
        int end = 0;
        while (end < line.length() && line.charAt(end) != ':' && !Character.isWhitespace(line.charAt(end))) {
            end++;
        }
        return STOPPED_CLASSES.contains(line.substring(0, end));
    }

    /** Whether the text names something that a network does now and then. */
    static boolean isBlip(String text) {
        String lower = CallTruncation.head(text, MOST_CHARS).toLowerCase(Locale.ROOT);
        return BLIPS.stream().anyMatch(lower::contains);
    }

    static List<String> rules(String section) {
        return RuleFile.body(RULES, section);
    }

    /** The words of a section. */
    static Set<String> words(String section) {
        Set<String> words = new HashSet<>();
        rules(section).stream().flatMap(line -> Stream.of(line.split(" ", -1))).forEach(words::add);
        return Set.copyOf(words);
    }
}
