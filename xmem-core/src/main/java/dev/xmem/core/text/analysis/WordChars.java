package dev.xmem.core.text.analysis;

/** Character classes of the analyzer, and the hash and equality of character runs. */
public final class WordChars {
    public static final int LOWER = 1;
    public static final int UPPER = 2;
    static final int DIGIT = 4;
    /** A letter or mark beyond ASCII. */
    static final int FOREIGN = 8;
    /** Joins the parts of an identifier, a path, a version or a contraction. */
    public static final int JOINER = 16;
    /** A character of a script without spaces: Han, kana and Hangul of the basic plane. */
    static final int UNSPACED = 32;

    static final int WORD = LOWER | UPPER | DIGIT | FOREIGN;

    private static final byte[] ASCII = new byte[0x80];
    /**
     * The base of the polynomial hash: a random odd number per process, so that the author of a log cannot choose words
     * that collide in hash tables. Nothing that is stored or shown depends on it.
     */
    private static final long FACTOR =
            System.currentTimeMillis() * 0x9E3779B97F4A7C15L ^ System.nanoTime() * 0xD1B54A32D192ED03L | 1;

    private static final long FACTOR_2 = FACTOR * FACTOR;
    private static final long FACTOR_3 = FACTOR_2 * FACTOR;
    private static final long FACTOR_4 = FACTOR_3 * FACTOR;

    static {
        for (char c = 'a'; c <= 'z'; c++) {
            ASCII[c] = LOWER;
            ASCII[c - 32] = UPPER;
        }
        for (char c = '0'; c <= '9'; c++) {
            ASCII[c] = DIGIT;
        }
        for (char c : "_-./\\@+'".toCharArray()) {
            ASCII[c] = JOINER;
        }
    }

    private WordChars() {}

    /** Whether a range contains anything but ASCII and the quotes, dashes, dots, boxes and ticks that tools print. */
    static boolean isForeign(char[] chars, int from, int to) {
        int all = 0;
        for (int i = from; i < to; i++) {
            all |= chars[i];
        }
        return all >= 0x80 && hasLetters(chars, from, to);
    }

    private static boolean hasLetters(char[] chars, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = chars[i];
            if (c >= 0x80 && (c < 0x2010 || c > 0x2027) && (c < 0x2500 || c > 0x27BF)) {
                return true;
            }
        }
        return false;
    }

    /** The class of a character: one of the constants above, 0 for a separator. */
    public static int kind(char c) {
        return c < 0x80 ? ASCII[c] : kindBeyondAscii(c);
    }

    private static int kindBeyondAscii(char c) {
        if (c == '\u2019') {
            return JOINER;
        }
        if (c >= 0x2E80 && isUnspaced(c)) {
            return UNSPACED;
        }
        return Character.isLetterOrDigit(c) || isMarkOrHalf(Character.getType(c)) ? FOREIGN : 0;
    }

    private static boolean isUnspaced(char c) {
        return Character.isIdeographic(c) || (c >= 0x3040 && c <= 0x30FF) || (c >= 0xAC00 && c <= 0xD7A3);
    }

    private static boolean isMarkOrHalf(int type) {
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.SURROGATE;
    }

    static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    public static boolean isApostrophe(char c) {
        return c == '\'' || c == '\u2019';
    }

    static boolean isUpper(char c) {
        return c < 0x80 ? ASCII[c] == UPPER : Character.isUpperCase(c);
    }

    static boolean isLower(char c) {
        return c < 0x80 ? ASCII[c] == LOWER : Character.isLowerCase(c);
    }

    public static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    public static boolean isAsciiLetterOrDigit(char c) {
        return c < 0x80 && (ASCII[c] & WORD) != 0;
    }

    static char lower(char c) {
        return c < 0x80 ? (ASCII[c] == UPPER ? (char) (c + 32) : c) : Character.toLowerCase(c);
    }

    public static int hash(char[] chars, int length) {
        return hash(chars, 0, length);
    }

    /** The hash of a range of an array: four characters at a time, which have the sum of one at a time. */
    public static int hash(char[] chars, int from, int to) {
        long sum = 0;
        int i = from;
        for (; i < to - 3; i += 4) {
            sum = sum * FACTOR_4 + chars[i] * FACTOR_3 + chars[i + 1] * FACTOR_2 + chars[i + 2] * FACTOR + chars[i + 3];
        }
        for (; i < to; i++) {
            sum = sum(sum, chars[i]);
        }
        return hash(sum);
    }

    /** Adds a character to the rolling sum of a hash, which starts at 0. */
    static long sum(long before, char c) {
        return before * FACTOR + c;
    }

    /** The hash of the characters of a sum. */
    static int hash(long sum) {
        return (int) ((sum ^ sum >>> 32) * 0x9E3779B97F4A7C15L >>> 32);
    }

    static boolean equal(char[] chars, int length, String text) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (chars[i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
