package dev.xmem.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Rebuilds the text of a slash command from arguments that a shell has split and unquoted, or from answers to prompts.
 */
final class SlashCommandLine {
    static final String PREFIX = "/xmem:";

    private static final Pattern PAIR = Pattern.compile("-{0,2}[A-Za-z_]{1,30}=(?s:.*)");
    private static final Pattern SPECIAL =
            Pattern.compile("[\"\\\\]|(?<=[\\n\\r\\x0B\\f\\x85\\u2028\\u2029])[^\\n\\r]");

    private static final Pattern EMPTY_RECORD = Pattern.compile("(?i)/xmem:record\\s+(?:failure|success)");

    private SlashCommandLine() {}

    /** Joins the arguments. A value with blanks and no quotes is quoted again. */
    static String of(List<String> words) {
        StringBuilder line = new StringBuilder(words.get(0));
        for (String word : words.subList(1, words.size())) {
            int eq = word.indexOf('=');
            String value = word.substring(eq + 1);
            boolean bare = PAIR.matcher(word).matches()
                    && !value.startsWith("\"")
                    && value.chars().anyMatch(c -> c <= ' ');
            line.append(' ').append(bare ? pair(word.substring(0, eq), value) : word);
        }
        return line.toString();
    }

    /**
     * {@code key="value"}, escaped so that the parser takes no part of the value for its end or for a field of the
     * form.
     */
    static String pair(String key, String value) {
        return key + "=\"" + SPECIAL.matcher(value).replaceAll("\\\\$0") + '"';
    }

    /** Whether the line is {@code /xmem:record failure} or {@code /xmem:record success} alone. */
    static boolean isEmptyRecord(String line) {
        return EMPTY_RECORD.matcher(line.strip()).matches();
    }

    /** The name of the slash command; empty if the line is not one. */
    static String name(String line) {
        String text = line.strip();
        if (!text.startsWith(PREFIX)) {
            return "";
        }
        String first = text.split("\\s", 2)[0];
        return first.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
    }
}
