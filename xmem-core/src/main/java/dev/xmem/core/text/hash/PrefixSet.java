package dev.xmem.core.text.hash;

import java.util.List;

/** A set of prefixes, compared without case. A prefix that ends in a letter matches only at the end of a word. */
final class PrefixSet {
    private final String[][] byFirst = new String[128][];

    PrefixSet(List<String> beginnings) {
        for (int i = 0; i < byFirst.length; i++) {
            int first = i;
            byFirst[i] = beginnings.stream()
                    .filter(beginning -> (lower(beginning.charAt(0)) & 127) == first)
                    .toArray(String[]::new);
        }
    }

    /** The length of a beginning of the text from an index on, or -1. */
    int match(String text, int from) {
        if (from >= text.length()) {
            return -1;
        }
        char second = from + 1 < text.length() ? lower(text.charAt(from + 1)) : 0;
        for (String beginning : byFirst[lower(text.charAt(from)) & 127]) {
            int end = from + beginning.length();
            boolean begins = beginning.length() == 1 || second > 127 || lower(beginning.charAt(1)) == second;
            if (begins
                    && text.regionMatches(true, from, beginning, 0, beginning.length())
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

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }
}
