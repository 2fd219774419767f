package dev.xmem.core.agent.guard;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a shell line that does the work: without the commands that only read its output ({@code | tail -3}), hide
 * its exit code ({@code || true}) or print, and without redirections. Two lines with the same work are the same call.
 * Stateless.
 */
final class WorkingCommand {
    private static final Set<String> READERS = TrivialFailures.words("readers");
    private static final Set<String> FILTERS = Set.of("tee", "sed", "awk", "cut", "tr", "nl", "column", "fold");
    private static final Set<String> NO_WORK = Set.of("true", ":", "set", "exit", "sleep", "false");
    private static final String OPERATORS = "|&;\n";
    private static final int MAX_STEPS = 32;
    private static final Pattern REDIRECTION = Pattern.compile("\\s*(?:\\d|&)?>{1,2}\\s*(?:&\\d|[^\\s&|;<>()]+)\\s*$");
    private static final Pattern FIRST =
            Pattern.compile("(?s)\\A\\s*set [-+]\\S+(?: pipefail)?\\s*(?:;|&&|\n)\\s*(.*)");

    private WorkingCommand() {}

    /** The working part of an action, without the tool's name at its beginning. */
    static String of(String tool, String action) {
        String line = action.strip();
        if (line.startsWith("{")) {
            return line; // JSON arguments
        }
        for (int step = 0; step < MAX_STEPS; step++) {
            String shorter = shorter(line);
            if (shorter.equals(line)) {
                break;
            }
            line = shorter;
        }
        return line.startsWith(tool + ' ') ? line.substring(tool.length()).strip() : line;
    }

    private static String shorter(String line) {
        if (line.startsWith("(") && line.endsWith(")") && line.indexOf(')') == line.length() - 1) {
            return line.substring(1, line.length() - 1).strip();
        }
        Matcher set = FIRST.matcher(line);
        if (set.matches()) {
            return set.group(1);
        }
        Matcher redirection = REDIRECTION.matcher(line);
        if (redirection.find() && redirection.start() > 0) {
            return line.substring(0, redirection.start());
        }
        if (line.endsWith("&") && !line.endsWith("&&") || line.endsWith(";")) {
            return line.substring(0, line.length() - 1).strip();
        }
        int begin = line.length();
        while (begin > 0 && OPERATORS.indexOf(line.charAt(begin - 1)) < 0) {
            begin--;
        }
        int end = begin;
        while (begin > 0 && OPERATORS.indexOf(line.charAt(begin - 1)) >= 0) {
            begin--;
        }
        return begin > 0 && isNoWork(line.substring(begin, end), line.substring(end))
                ? line.substring(0, begin).strip()
                : line;
    }

    /** Whether the last command of a line, after this operator, does no work of its own. */
    private static boolean isNoWork(String operator, String command) {
        String word = command.strip().split("\\s+", 2)[0];
        boolean quoted = command.chars().filter(c -> c == '"').count() % 2 != 0
                || command.chars().filter(c -> c == '\'').count() % 2 != 0;
        return !quoted
                && (word.isEmpty()
                        || NO_WORK.contains(word)
                        || READERS.contains(word)
                        || operator.startsWith("|") && !operator.equals("||") && FILTERS.contains(word));
    }
}
