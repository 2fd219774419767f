package dev.xmem.core.text.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The name around a trigger: {@code db.password}, {@code --api-key}, {@code clientSecret}.
 *
 * @param from where it begins, without leading hyphens
 * @param to where it ends
 * @param option whether hyphens stand before it, as before an option of a command
 * @param words its words in lower case: parted by what is no letter, and where camels have humps
 */
record SensitiveName(int from, int to, boolean option, List<String> words) {
    private static final CharSet CHARS = CharSet.of("A-Za-z0-9_.-");
    private static final CharSet INNER = CharSet.of("A-Za-z0-9_-");
    private static final int LONGEST = 64;

    static SensitiveName around(PaddedText text, int start, int end) {
        int from = CHARS.startOfRun(text, start, LONGEST);
        from = Math.min(start, from + escape(text, from));
        int name = from;
        while (name < start && !INNER.has(text.at(name)) || text.at(name) == '-' && name < start) {
            name++;
        }
        boolean option = text.at(name - 1) == '-' && name > from;
        int to = end;
        while (to - end < LONGEST
                && (INNER.has(text.at(to)) || text.at(to) == '.' && PaddedText.isLetter(text.at(to + 1)))) {
            to++;
        }
        return new SensitiveName(name, to, option, words(text.from(name, to)));
    }

    /** How many of the first letters belong to an escape: {@code \n}, {@code %3D}, the one of Unicode. */
    private static int escape(PaddedText text, int from) {
        for (int i = from + 1; i <= from + 5; i++) {
            int letters = text.escapeBefore(i);
            if (letters > 0 && i - letters == from) {
                return letters;
            }
        }
        return 0;
    }

    /** The words of a name. */
    static List<String> words(String name) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= name.length(); i++) {
            boolean inWord = i < name.length() && PaddedText.isAlphanumeric(name.charAt(i));
            if (!inWord || i > from && isHump(name, i)) {
                add(words, name.substring(from, i));
                from = inWord ? i : i + 1;
            }
        }
        return words;
    }

    private static void add(List<String> words, String word) {
        if (!word.isEmpty()) {
            words.add(word.toLowerCase(Locale.ROOT));
        }
    }

    /** Before the upper-case letter of {@code aB} and of {@code ABc}, but not within {@code AB}. */
    private static boolean isHump(String name, int i) {
        boolean upper = Character.isUpperCase(name.charAt(i));
        boolean before = Character.isUpperCase(name.charAt(i - 1));
        boolean after = i + 1 < name.length() && Character.isLowerCase(name.charAt(i + 1));
        return upper && (!before || after);
    }
}
