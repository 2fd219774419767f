package dev.xmem.core.store.terms;

/** A term in as few bytes as it takes: one a character below U+0100, else a zero and then two a character. */
public final class CompactTerm {
    private CompactTerm() {}

    public static byte[] of(char[] chars, int length) {
        return isNarrow(chars, length) ? narrow(chars, length) : wide(chars, length);
    }

    /** Whether the term that stands in an array is these characters. */
    public static boolean equal(byte[] in, int from, int to, char[] chars, int length) {
        boolean wide = to > from && in[from] == 0;
        if (to - from != (wide ? 2 * length + 1 : length)) {
            return false;
        }
        return wide ? equalWide(in, from, chars, length) : equalNarrow(in, from, chars, length);
    }

    /** Puts the characters of the term that stands in an array into another; returns how many there are. */
    public static int copy(byte[] in, int from, int to, char[] into, int at) {
        boolean wide = to > from && in[from] == 0;
        int length = wide ? (to - from) / 2 : to - from;
        for (int i = 0; i < length; i++) {
            into[at + i] = wide ? wide(in, from, i) : (char) (in[from + i] & 0xFF);
        }
        return length;
    }

    private static char wide(byte[] in, int from, int i) {
        return (char) ((in[from + 2 * i + 1] & 0xFF) << 8 | in[from + 2 * i + 2] & 0xFF);
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

    private static boolean equalNarrow(byte[] in, int from, char[] chars, int length) {
        for (int i = 0; i < length; i++) {
            if ((in[from + i] & 0xFF) != chars[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean equalWide(byte[] in, int from, char[] chars, int length) {
        for (int i = 0; i < length; i++) {
            if (wide(in, from, i) != chars[i]) {
                return false;
            }
        }
        return true;
    }
}
