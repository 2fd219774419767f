package dev.xmem.core.base.json;

import java.util.Locale;

/**
 * Texts in lower case, in time that grows with their length only. The JDK takes quadratic time for a letter whose lower
 * case is longer, such as U+0130: minutes for a line of them, which any peer can write.
 */
public final class LowerCase {
    private static final int PART_CHARS = 1024;

    private LowerCase() {}

    /** A text in lower case, in no language. */
    public static String of(String text) {
        if (text.length() <= PART_CHARS) {
            return text.toLowerCase(Locale.ROOT);
        }
        StringBuilder lower = new StringBuilder(text.length());
        for (int from = 0, to; from < text.length(); from = to) {
            to = Math.min(text.length(), from + PART_CHARS);
            to -= to < text.length() && Character.isHighSurrogate(text.charAt(to - 1)) ? 1 : 0;
            lower.append(text.substring(from, to).toLowerCase(Locale.ROOT));
        }
        return lower.toString();
    }
}
