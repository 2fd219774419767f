package dev.xmem.core.answer.render;

import java.util.regex.Pattern;

/**
 * Makes text of unknown origin safe to put into a prompt: one line, no invisible characters, and nothing that models and
 * chat formats read as the end of a quotation or as another role. Words stay readable; markup has no effect.
 */
final class PromptEscaping {
    /** Compiled for the first line that is not plain. */
    private static final class Markup {
        static final String ROLES =
                "system|assistant|user|human|developer|tool|tool_use|tool_result|function|function_calls|function_results"
                        + "|instructions|invoke|antml|im_start|im_end|im_sep|s|endoftext";

        static final Pattern FENCE = Pattern.compile("\\[(/?)xmem\\b", Pattern.CASE_INSENSITIVE);
        static final Pattern TAG =
                Pattern.compile("<(/?\\s*+(?:" + ROLES + ")(?:[ :][^<>]{0,80})?+)>", Pattern.CASE_INSENSITIVE);
        static final Pattern TURN = Pattern.compile(
                "(?<![^\\s\"'(\\[>|#*])(\\**(?:system|assistant|user|human|developer|ai)\\**)\\s*+:(?=\\s|$|\\*)",
                Pattern.CASE_INSENSITIVE);
        static final Pattern BLOCK = Pattern.compile("\\[(/?(?:INST|SYS))\\]|<<(/?SYS)>>", Pattern.CASE_INSENSITIVE);
        static final Pattern RUN = Pattern.compile("([`~=#-])\\1{2,}+");
        static final Pattern VARIATION = Pattern.compile("[\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}]");
    }

    private PromptEscaping() {}

    /** A value in one line of at most this many characters. */
    static String line(String value, int most) {
        String line = TextSanitizer.line(value, most);
        if (isPlain(line)) {
            return line;
        }
        line = Markup.VARIATION.matcher(line).replaceAll("");
        line = Markup.FENCE.matcher(line).replaceAll("($1xmem");
        line = line.replace("<|", "< |").replace("|>", "| >");
        line = Markup.TAG.matcher(line).replaceAll("($1)");
        line = Markup.BLOCK.matcher(line).replaceAll("($1$2)");
        line = Markup.RUN.matcher(line).replaceAll("$1$1");
        line = Markup.TURN.matcher(line).replaceAll("$1 -");
        return TextSanitizer.cut(line, most);
    }

    /** Whether nothing in a line can be markup or begin a turn. */
    private static boolean isPlain(String line) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean plain =
                    c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || " .,;/_'()".indexOf(c) >= 0;
            boolean mark = c == '-' && (i == 0 || line.charAt(i - 1) != '-');
            if (!plain && !mark) {
                return false;
            }
        }
        return true;
    }
}
