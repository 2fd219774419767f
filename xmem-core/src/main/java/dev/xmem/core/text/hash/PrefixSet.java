package dev.xmem.core.text.hash;

import java.util.Arrays;
import java.util.List;

/** A set of prefixes, compared without case. A prefix that ends in a letter matches only at the end of a word. */
final class PrefixSet {
    private static final int ASCII = 128;

    private static final String[] NONE = {};
    private static final String[][] NO_START = {};

    /** By the first two characters; those of all second characters are behind the ones of ASCII. */
    private final String[][][] byStart = new String[ASCII][][];

    @SafeVarargs
    PrefixSet(List<String>... lists) {
        Arrays.fill(byStart, NO_START);
        for (List<String> beginnings : lists) {
            for (String beginning : beginnings) {
                add(beginning);
            }
        }
    }

    private void add(String beginning) {
        int first = Slugs.lower(beginning.charAt(0)) & ASCII - 1;
        String[][] bySecond = byStart[first];
        if (bySecond.length == 0) {
            bySecond = new String[ASCII + 1][];
            Arrays.fill(bySecond, NONE);
            byStart[first] = bySecond;
        }
        append(bySecond, ASCII, beginning);
        boolean any = beginning.length() == 1;
        int from = any ? 0 : Slugs.lower(beginning.charAt(1));
        for (int second = from; second < (any ? ASCII : Math.min(from + 1, ASCII)); second++) {
            append(bySecond, second, beginning);
        }
    }

    private static void append(String[][] bySecond, int second, String beginning) {
        String[] known = bySecond[second];
        bySecond[second] = Arrays.copyOf(known, known.length + 1);
        bySecond[second][known.length] = beginning;
    }

    /** The length of a beginning of the text from an index on, or -1. */
    int match(String text, int from) {
        String[][] bySecond = from < text.length() ? byStart[Slugs.lower(text.charAt(from)) & ASCII - 1] : NO_START;
        if (bySecond.length == 0) {
            return -1;
        }
        char second = from + 1 < text.length() ? Slugs.lower(text.charAt(from + 1)) : 0;
        for (String beginning : bySecond[Math.min(second, ASCII)]) {
            int end = from + beginning.length();
            if (isAt(text, from, beginning)
                    && !(Character.isLetter(beginning.charAt(beginning.length() - 1))
                            && end < text.length()
                            && Character.isLetterOrDigit(text.charAt(end)))) {
                return beginning.length();
            }
        }
        return -1;
    }

    boolean matches(String text) {
        return match(text, 0) >= 0;
    }

    /** Whether a beginning is at an index of the text. Most are not, which a character behind the first two tells. */
    private static boolean isAt(String text, int from, String beginning) {
        int last = beginning.length() - 1;
        if (from + last >= text.length()) {
            return false;
        }
        char c = text.charAt(from + last);
        return (c >= 0x80 || Slugs.lower(c) == Slugs.lower(beginning.charAt(last)))
                && text.regionMatches(true, from, beginning, 0, last + 1);
    }
}
