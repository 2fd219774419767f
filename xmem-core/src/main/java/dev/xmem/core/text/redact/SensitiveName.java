package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The name around a trigger: {@code db.password}, {@code --api-key}, {@code clientSecret}.
 *
 * @param from its start, after leading hyphens
 * @param to its end
 * @param option whether hyphens precede it, as in the option of a command
 * @param words its words in lower case, split at separators and at camel-case humps
 */
record SensitiveName(int from, int to, boolean option, List<String> words) {
    private static final CharSet CHARS = CharSet.of("A-Za-z0-9_.-");
    private static final CharSet INNER = CharSet.of("A-Za-z0-9_-");
    private static final int MAX_LENGTH = 64;

    static SensitiveName around(PaddedText text, int start, int end) {
        int from = CHARS.startOfRun(text, start, MAX_LENGTH);
        from = Math.min(start, from + escape(text, from));
        int name = from;
        while (name < start && !INNER.has(text.at(name)) || text.at(name) == '-' && name < start) {
            name++;
        }
        boolean option = text.at(name - 1) == '-' && name > from;
        int to = end;
        while (to - end < MAX_LENGTH
                && (INNER.has(text.at(to)) || text.at(to) == '.' && PaddedText.isLetter(text.at(to + 1)))) {
            to++;
        }
        return new SensitiveName(name, to, option, words(text.from(name, to)));
    }

    /** The number of leading letters that belong to an escape such as {@code \n} or {@code %3D}. */
    private static int escape(PaddedText text, int from) {
        for (int i = from + 1; i <= from + 5; i++) {
            int letters = text.escapeBefore(i);
            if (letters > 0 && i - letters == from) {
                return letters;
            }
        }
        return 0;
    }

    /** Splits a name into words. */
    static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= name.length(); i++) {
            boolean inWord = i < name.length() && PaddedText.isAlphanumeric(name.charAt(i));
            if (!inWord || i > from && isHump(name, i)) {
                if (i > from) {
                    words.add(name.substring(from, i).toLowerCase(Locale.ROOT));
                }
                from = inWord ? i : i + 1;
            }
        }
        return words;
    }

    /** Whether a word begins at the upper-case letter of {@code aB} or {@code ABc}; not within {@code AB}. */
    private static boolean isHump(String name, int i) {
        boolean upper = Character.isUpperCase(name.charAt(i));
        boolean before = Character.isUpperCase(name.charAt(i - 1));
        boolean after = i + 1 < name.length() && Character.isLowerCase(name.charAt(i + 1));
        return upper && (!before || after);
    }
}
