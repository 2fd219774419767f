package dev.xmem.core.text.redact;

/** A set of ASCII characters. Immutable. */
final class CharSet {
    private final boolean[] members = new boolean[128];

    /** Parses characters and ranges such as {@code a-z}. A hyphen at the end stands for itself. */
    static CharSet of(String ranges) {
        CharSet set = new CharSet();
        for (int i = 0; i < ranges.length(); i++) {
            boolean range = i + 2 < ranges.length() && ranges.charAt(i + 1) == '-';
            int last = ranges.charAt(range ? i + 2 : i);
            for (int c = ranges.charAt(i); c <= last; c++) {
                set.members[c] = true;
            }
            i += range ? 2 : 0;
        }
        return set;
    }

    boolean has(char c) {
        return c < 128 && members[c];
    }

    /** The index of the first member in a range; -1 if there is none. */
    int indexIn(PaddedText text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (has(text.at(i))) {
                return i;
            }
        }
        return -1;
    }

    /** The end of the run of at most {@code max} members that starts at an index. */
    int endOfRun(PaddedText text, int from, int max) {
        int i = from;
        int end = max < text.length() - from ? from + max : text.length();
        while (i < end && has(text.string().charAt(i))) {
            i++;
        }
        return i;
    }

    /** The start of the run of at most {@code max} members that ends at an index. */
    int startOfRun(PaddedText text, int to, int max) {
        int i = to;
        while (to - i < max && i > 0 && has(text.at(i - 1))) {
            i--;
        }
        return i;
    }
}
