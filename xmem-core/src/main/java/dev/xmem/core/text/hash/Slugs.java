package dev.xmem.core.text.hash;

import java.util.Locale;
import java.util.function.Predicate;

/** Converts names to kebab case. */
final class Slugs {
    private Slugs() {}

    /** Lower-case letters and digits joined by single hyphens; camel case is split. */
    static String kebab(String text) {
        StringBuilder out = new StringBuilder(text.length() + 8);
        for (int i = start(text, 0), end; i < text.length(); i = start(text, end)) {
            end = end(text, i);
            if (out.length() > 0) {
                out.append('-');
            }
            for (int at = i; at < end; at++) {
                out.append(lower(text.charAt(at)));
            }
        }
        return out.toString();
    }

    /** Whether the kebab case has no word. */
    static boolean isEmpty(String text) {
        return start(text, 0) == text.length();
    }

    /** Whether a test holds for all words of the kebab case; it is not run for the words behind one that fails. */
    static boolean all(String text, Predicate<String> test) {
        for (int i = start(text, 0), end; i < text.length(); i = start(text, end)) {
            end = end(text, i);
            if (!test.test(text.substring(i, end).toLowerCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

    /** The character in lower case if it is a letter of ASCII. */
    static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }

    /** Where the first word begins at an index or behind it; the length of the text if none does. */
    private static int start(String text, int from) {
        int i = from;
        while (i < text.length() && !isPart(text.charAt(i))) {
            i++;
        }
        return i;
    }

    /** Where the word that begins at an index ends. */
    private static int end(String text, int start) {
        int i = start + 1;
        while (i < text.length() && isPart(text.charAt(i)) && !startsWord(text, i)) {
            i++;
        }
        return i;
    }

    private static boolean isPart(char c) {
        return CharClasses.isLetter(c) || CharClasses.isDigit(c);
    }

    /** Whether a letter or digit behind another one is a capital that begins a word. */
    private static boolean startsWord(String text, int i) {
        char c = text.charAt(i);
        char before = text.charAt(i - 1);
        return c >= 'A'
                && c <= 'Z'
                && (Character.isLowerCase(before)
                        || Character.isUpperCase(before)
                                && i + 1 < text.length()
                                && Character.isLowerCase(text.charAt(i + 1)));
    }
}
