package dev.xmem.cli;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A slash command as a line again, after a shell took its quotes and split it, or after questions were answered. */
final class SlashLine {
    static final String PREFIX = "/xmem:";

    private static final Pattern PAIR = Pattern.compile("-{0,2}[A-Za-z_]{1,30}=(?s:.*)");
    private static final Pattern SPECIAL =
            Pattern.compile("[\"\\\\]|(?<=[\\n\\r\\x0B\\f\\x85\\u2028\\u2029])[^\\n\\r]");

    private SlashLine() {}

    /** The line of one or several arguments. Only a value that has blanks and no quotes gets its quotes back. */
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

    /** {@code key="value"}, such that nothing in the value is taken for the end of it or for a question of the form. */
    static String pair(String key, String value) {
        return key + "=\"" + SPECIAL.matcher(value).replaceAll("\\\\$0") + '"';
    }

    /** The name of the command of a line; empty if it is none. */
    static String name(String line) {
        String text = line.strip();
        if (!text.startsWith(PREFIX)) {
            return "";
        }
        String first = text.split("\\s", 2)[0];
        return first.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
    }
}
