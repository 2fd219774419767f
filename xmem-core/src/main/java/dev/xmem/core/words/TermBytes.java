package dev.xmem.core.words;

/** A term in as few bytes as it takes: one a character below U+0100, else a zero and then two a character. */
final class TermBytes {
    private TermBytes() {}

    static byte[] of(char[] chars, int length) {
        return isNarrow(chars, length) ? narrow(chars, length) : wide(chars, length);
    }

    static boolean equal(byte[] term, char[] chars, int length) {
        boolean wide = term.length > 0 && term[0] == 0;
        if (term.length != (wide ? 2 * length + 1 : length)) {
            return false;
        }
        return wide ? equalWide(term, chars, length) : equalNarrow(term, chars, length);
    }

    private static boolean isNarrow(char[] chars, int length) {
        for (int i = 0; i < length; i++) {
            if (chars[i] > 0xFF) {
                return false;
            }
        }
        return true;
    }

    private static byte[] narrow(char[] chars, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) chars[i];
        }
        return bytes;
    }

    private static byte[] wide(char[] chars, int length) {
        byte[] bytes = new byte[2 * length + 1];
        for (int i = 0; i < length; i++) {
            bytes[2 * i + 1] = (byte) (chars[i] >> 8);
            bytes[2 * i + 2] = (byte) chars[i];
        }
        return bytes;
    }

    private static boolean equalNarrow(byte[] term, char[] chars, int length) {
        for (int i = 0; i < length; i++) {
            if ((term[i] & 0xFF) != chars[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalWide(byte[] term, char[] chars, int length) {
        for (int i = 0; i < length; i++) {
            if ((((term[2 * i + 1] & 0xFF) << 8) | (term[2 * i + 2] & 0xFF)) != chars[i]) {
                return false;
            }
        }
        return true;
    }
}
