package dev.xmem.core.text.redact;

/** Some characters of ASCII. Immutable. */
final class CharSet {
    private final boolean[] members = new boolean[128];

    /** A set written as characters and ranges of them; a hyphen at the end is one. */
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

    /** Where the run of these that begins at an index ends. */
    int endOfRun(PaddedText text, int from, int most) {
        int i = from;
        int end = most < text.length() - from ? from + most : text.length();
        while (i < end && has(text.string().charAt(i))) {
            i++;
        }
        return i;
    }

    /** Where the run of these that ends before an index begins. */
    int startOfRun(PaddedText text, int to, int most) {
        int i = to;
        while (to - i < most && i > 0 && has(text.at(i - 1))) {
            i--;
        }
        return i;
    }

    /** The members, in order. */
    String all() {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < members.length; c++) {
            if (members[c]) {
                all.append(c);
            }
        }
        return all.toString();
    }
}
