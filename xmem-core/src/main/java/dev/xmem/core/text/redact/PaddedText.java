package dev.xmem.core.text.redact;

/**
 * A text that may be read past its ends: there is NUL, which stands for nothing. Immutable.
 *
 * @param string the text
 */
record PaddedText(String string) {
    private static final String ESCAPES = "nrtbf";

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

    /** Where blanks, but not line ends, end. */
    int afterBlanks(int i) {
        while (isBlank(at(i))) {
            i++;
        }
        return i;
    }

    /** Whether a word begins here: also after an escape such as {@code \n}, the one of Unicode or {@code %3D}. */
    boolean wordStartsAt(int i) {
        return !isAlphanumeric(at(i - 1)) || escapeBefore(i) > 0;
    }

    /** How many letters right before an index belong to an escape and to no word. */
    int escapeBefore(int i) {
        char last = at(i - 1);
        if (at(i - 2) == '\\' && ESCAPES.indexOf(last) >= 0) {
            return 1;
        }
        if (!isHex(last) || !isHex(at(i - 2))) {
            return 0;
        }
        if (at(i - 3) == '%') {
            return 2;
        }
        return at(i - 6) == '\\' && at(i - 5) == 'u' ? 5 : 0;
    }

    static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\u00A0';
    }

    /** Whether a value without quotes ends here for certain. */
    static boolean isWhite(char c) {
        return c <= ' ' || c >= '\u0085' && (Character.isWhitespace(c) || Character.isSpaceChar(c));
    }

    static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    static boolean isDigits(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!isDigit(word.charAt(i))) {
                return false;
            }
        }
        return true;
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

    private static boolean isHex(char c) {
        return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    }
}
