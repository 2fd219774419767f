package dev.xmem.core.agent.guard;

import java.util.Locale;

/**
 * Extracts what a user wrote from a message: without code blocks, quotations and lines of logs and source code. Linear
 * in the length of the message, of which at most 100,000 characters are read.
 */
final class Prose {
    /** What stands in place of a quotation. */
    static final char QUOTED = '¤';

    private static final int MAX_CHARS = 50_000;
    private static final int KEPT_CHARS = 1000;
    private static final int MAX_QUOTATION = 200;
    private static final int MAX_PREFIX = 120;
    private static final String OPENING = "\"`«»“„‘'‚「『";
    private static final String[] CLOSING = {"\"", "`", "»", "«", "”", "“”", "’", "'", "‘’", "」", "』"};

    private Prose() {}

    /** The first and the last thousand characters of what the user wrote. */
    static String of(String message) {
        StringBuilder prose = new StringBuilder();
        String fence = null;
        for (String line : bounded(message).split("\\R")) {
            String stripped = line.strip();
            String mark = stripped.startsWith("```") ? "```" : stripped.startsWith("~~~") ? "~~~" : null;
            if (mark != null && (fence == null || fence.equals(mark))) {
                boolean closedInLine = fence == null && stripped.indexOf(mark, 3) > 0;
                fence = fence == null && !closedInLine ? mark : null;
                prose.append(QUOTED).append('\n');
            } else if (fence == null && !isOutput(stripped)) {
                appendWithoutQuotations(stripped, prose);
                prose.append('\n');
            }
        }
        if (prose.length() <= 2 * KEPT_CHARS) {
            return prose.toString();
        }
        return prose.substring(0, KEPT_CHARS) + '\n' + prose.substring(prose.length() - KEPT_CHARS);
    }

    private static String bounded(String message) {
        return message.length() <= 2 * MAX_CHARS
                ? message
                : message.substring(0, MAX_CHARS) + '\n' + message.substring(message.length() - MAX_CHARS);
    }

    private static void appendWithoutQuotations(String line, StringBuilder prose) {
        for (int i = 0; i < line.length(); i++) {
            int end = isTimestamp(line, i) ? line.length() : endOfQuotation(line, i);
            if (end > 0) {
                prose.append(' ').append(QUOTED).append(' ');
                i = end;
            } else {
                prose.append(line.charAt(i));
            }
        }
    }

    /** The position of the closing mark of a quotation that begins here; -1 if none begins. */
    private static int endOfQuotation(String line, int at) {
        int kind = OPENING.indexOf(line.charAt(at));
        if (kind < 0 || at > 0 && Character.isLetterOrDigit(line.charAt(at - 1))) {
            return -1;
        }
        boolean apostrophe = CLOSING[kind].contains("'") || CLOSING[kind].contains("’");
        for (int i = at + 1; i < Math.min(line.length(), at + MAX_QUOTATION); i++) {
            boolean inWord = i + 1 < line.length() && Character.isLetterOrDigit(line.charAt(i + 1));
            if (CLOSING[kind].indexOf(line.charAt(i)) >= 0 && !(apostrophe && inWord)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a line is a quotation, source code, or the output of a program. */
    private static boolean isOutput(String line) {
        if (line.isEmpty()) {
            return false;
        }
        char first = line.charAt(0);
        char last = line.charAt(line.length() - 1);
        boolean code = last == ';' || last == '{' || last == '}' || line.startsWith("//") || line.startsWith("/*");
        boolean shell = first == '>' || first == '$' || line.startsWith("# ") || line.startsWith("+ ");
        return code || shell || first == '[' || beginsAsLog(line);
    }

    private static boolean beginsAsLog(String line) {
        String head = CallTruncation.head(line, MAX_PREFIX);
        int blank = head.indexOf(' ');
        String word = blank < 0 ? head : head.substring(0, blank);
        String next = blank < 0 ? "" : head.substring(blank + 1);
        return isTimestamp(line, 0)
                || word.equals("at") && next.indexOf('(') > 0
                || word.equals("npm") && next.startsWith("ERR")
                || isLevel(word) && next.chars().anyMatch(c -> ":[=/".indexOf(c) >= 0)
                || isLabel(word)
                || next.startsWith("by: ");
    }

    /** Whether a date or a time with seconds begins here, as in the lines of a log. */
    private static boolean isTimestamp(String line, int at) {
        if (!isDigit(line, at) || at > 0 && Character.isLetterOrDigit(line.charAt(at - 1))) {
            return false;
        }
        boolean time = isPair(line, at, ':') && isPair(line, at + 3, ':');
        return time || isDigit(line, at + 1) && isPair(line, at + 2, '-') && isPair(line, at + 5, '-');
    }

    /** Whether two digits and a separator are here. */
    private static boolean isPair(String line, int at, char separator) {
        return isDigit(line, at) && isDigit(line, at + 1) && at + 2 < line.length() && line.charAt(at + 2) == separator;
    }

    private static boolean isDigit(String line, int at) {
        return at < line.length() && Character.isDigit(line.charAt(at));
    }

    /** {@code ERROR}, {@code WARN:}, but no other word in capitals. */
    private static boolean isLevel(String word) {
        return switch (word) {
            case "ERROR", "WARN", "WARNING", "INFO", "DEBUG", "FATAL", "TRACE", "SEVERE", "E", "ERR!" -> true;
            default -> false;
        };
    }

    /**
     * A word before a colon that a program writes: {@code fatal:}, {@code main.c:12:}, {@code java.io.IOException:}.
     */
    private static boolean isLabel(String word) {
        int colon = word.indexOf(':');
        if (colon <= 0) {
            return false;
        }
        String label = word.substring(0, colon);
        return switch (label.toLowerCase(Locale.ROOT)) {
            case "error", "fatal", "warning", "warn", "info", "debug", "exception", "panic", "e", "err" -> true;
            default -> label.indexOf('.') > 0 || label.endsWith("Exception") || label.endsWith("Error");
        };
    }
}
