package dev.xmem.core.store.terms;

/** The bytes of a term: its characters as Latin-1, or, if one is above U+00FF, a zero followed by UTF-16. */
final class CompactTerm {
    private CompactTerm() {}

    /** How many bytes the term with some characters has. */
    static int length(char[] chars, int length) {
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= chars[i];
        }
        return all > 0xFF ? 2 * length + 1 : length;
    }

    /** Writes the bytes of a term to a range of an array, which is as long as they are. */
    static void put(char[] chars, int length, byte[] into, int from, int to) {
        boolean wide = to - from > length;
        if (wide) {
            into[from] = 0;
        }
        for (int i = 0; i < length; i++) {
            if (wide) {
                into[from + 2 * i + 1] = (byte) (chars[i] >> 8);
                into[from + 2 * i + 2] = (byte) chars[i];
            } else {
                into[from + i] = (byte) chars[i];
            }
        }
    }

    /** Whether the term in a range of an array has these characters. */
    static boolean equal(byte[] in, int from, int to, char[] chars, int length) {
        boolean wide = isWide(in, from, to);
        if (to - from != (wide ? 2 * length + 1 : length)) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (at(in, from, i, wide) != chars[i]) {
                return false;
            }
        }
        return true;
    }

    /** Copies the characters of the term in a range of an array; returns their number. */
    static int copy(byte[] in, int from, int to, char[] into, int at) {
        boolean wide = isWide(in, from, to);
        int length = wide ? (to - from) / 2 : to - from;
        for (int i = 0; i < length; i++) {
            into[at + i] = at(in, from, i, wide);
        }
        return length;
    }

    private static boolean isWide(byte[] in, int from, int to) {
        return to > from && in[from] == 0;
    }

    private static char at(byte[] in, int from, int i, boolean wide) {
        return (char) (wide ? (in[from + 2 * i + 1] & 0xFF) << 8 | in[from + 2 * i + 2] & 0xFF : in[from + i] & 0xFF);
    }
}
