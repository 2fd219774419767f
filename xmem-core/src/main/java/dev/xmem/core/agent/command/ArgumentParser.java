package dev.xmem.core.agent.command;

import dev.xmem.XMemException;
import dev.xmem.core.answer.render.TextSanitizer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Parses {@code key=value} arguments. A value with whitespace is in double quotes; in quotes a backslash escapes the
 * next character. A key may have one or two hyphens in front, which are removed, and is converted to lower case.
 */
final class ArgumentParser {
    private ArgumentParser() {}

    /**
     * The arguments by key; the last of several equal keys wins.
     *
     * @throws XMemException.Syntax if the text has another form
     */
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
                throw new XMemException.Syntax(
                        "expected key=value, found \"" + TextSanitizer.cut(text.substring(i), 41) + '"', i);
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
}
