package dev.xmem.core.agent.command;

import dev.xmem.XMemException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** {@code key=value} words, values in double quotes where they hold blanks; a backslash takes the next character as it is. */
final class ArgumentParser {
    private ArgumentParser() {}

    static Map<String, String> of(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        int i = 0;
        while (i < text.length()) {
            if (Character.isWhitespace(text.charAt(i))) {
                i++;
                continue;
            }
            int eq = text.indexOf('=', i);
            String key = eq < 0 ? text.substring(i) : text.substring(i, eq);
            if (eq < 0 || !key.matches("-{0,2}[A-Za-z_]{1,30}")) {
                throw new XMemException.Syntax("expected key=value, found \"" + cut(text.substring(i)) + '"', i);
            }
            StringBuilder value = new StringBuilder();
            i = value(text, eq + 1, value);
            values.put(key.replaceFirst("^-+", "").toLowerCase(Locale.ROOT), value.toString());
        }
        return values;
    }

    private static int value(String text, int from, StringBuilder value) {
        int i = from;
        boolean quoted = i < text.length() && text.charAt(i) == '"';
        i += quoted ? 1 : 0;
        while (i < text.length() && (quoted ? text.charAt(i) != '"' : !Character.isWhitespace(text.charAt(i)))) {
            if (quoted && text.charAt(i) == '\\' && i + 1 < text.length()) {
                i++;
            }
            value.append(text.charAt(i++));
        }
        if (quoted && i >= text.length()) {
            throw new XMemException.Syntax("a quote is opened and not closed", from);
        }
        return quoted ? i + 1 : i;
    }

    private static String cut(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
