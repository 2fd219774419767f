package dev.xmem.core.text.hash;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads an answer in XML or HTML. */
final class Markup {
    private static final int MAX_CHARS = 600;
    private static final Pattern STATUS = Pattern.compile("(?<![\\w.:-])([45]\\d\\d)(?![\\w.:-]\\w)");

    private Markup() {}

    /** The text of the first element with a name, or null. */
    static @Nullable String element(String text, String name) {
        int from = text.indexOf('<' + name + '>');
        int end = from < 0 ? -1 : text.indexOf('<', from + name.length() + 2);
        return end < 0 ? null : text.substring(from + name.length() + 2, Math.min(end, from + MAX_CHARS));
    }

    /** What a page says that reports an error, or null. */
    static @Nullable String page(String text) {
        if (text.indexOf("<html") < 0) {
            return null;
        }
        for (String name : List.of("pre", "h1", "title")) {
            String said = element(text, name);
            if (said != null) {
                Matcher number = STATUS.matcher(said);
                return number.lookingAt() ? said.substring(number.end()).strip() : said.strip();
            }
        }
        return "";
    }
}
