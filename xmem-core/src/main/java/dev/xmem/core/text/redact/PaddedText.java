package dev.xmem.core.text.redact;

/**
 * A text that reads as NUL beyond its ends, so that detectors need no bounds checks. Immutable.
 *
 * @param string the text
 */
record PaddedText(String string) {
    private static final String ESCAPES = "nrtbf";
    private static final CharSet HEX = CharSet.of("0-9a-fA-F");

    int length() {
        return string.length();
    }

    char at(int i) {
        return i >= 0 && i < string.length() ? string.charAt(i) : 0;
    }

    boolean has(int at, String literal) {
        return string.startsWith(literal, at);
    }

    boolean hasIgnoringCase(int at, String literal) {
        return string.regionMatches(true, at, literal, 0, literal.length());
    }

    String from(int from, int to) {
        return string.substring(from, to);
    }

    /** The end of a run of blanks. */
    int afterBlanks(int i) {
        return afterBlanks(i, Integer.MAX_VALUE);
    }

    /** The end of a run of at most {@code max} blanks. */
    int afterBlanks(int from, int max) {
        int i = from;
        while (i - from < max && isBlank(at(i))) {
            i++;
        }
        return i;
    }

    /** Whether a word begins here, also after an escape such as {@code \n}, {@code \}{@code u000a} or {@code %3D}. */
    boolean wordStartsAt(int i) {
        return !isAlphanumeric(at(i - 1)) || escapeBefore(i) > 0;
    }

    /** The number of letters before an index that belong to an escape and not to a word. */
    int escapeBefore(int i) {
        char last = at(i - 1);
        if (at(i - 2) == '\\' && ESCAPES.indexOf(last) >= 0) {
            return 1;
        }
        if (!HEX.has(last) || !HEX.has(at(i - 2))) {
            return 0;
        }
        if (at(i - 3) == '%') {
            return 2;
        }
        return at(i - 6) == '\\' && at(i - 5) == 'u' ? 5 : 0;
    }

    /** Whether a character is white space other than a line end. */
    static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\u00A0';
    }

    /** Whether a character always ends an unquoted value. */
    static boolean isWhite(char c) {
        return c <= ' ' || c >= '\u0085' && (Character.isWhitespace(c) || Character.isSpaceChar(c));
    }

    static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static boolean isAlphanumeric(char c) {
        return isLetter(c) || isDigit(c);
    }

    static boolean isQuote(char c) {
        return c == '"' || c == '\'' || c == '`';
    }
}
