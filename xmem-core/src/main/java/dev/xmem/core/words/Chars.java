package dev.xmem.core.words;

/** What kind of character this is, and the hash and equality of runs of them. */
final class Chars {
    private Chars() {}

    static boolean isWord(char c) {
        if (c < 0x80) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        }
        return isWordBeyondAscii(c);
    }

    private static boolean isWordBeyondAscii(char c) {
        if (Character.isLetterOrDigit(c)) {
            return true;
        }
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK
                || type == Character.SURROGATE;
    }

    /** Whether words are written without spaces in this script: Han, kana and Hangul of the basic plane. */
    static boolean isUnspaced(char c) {
        return c >= 0x2E80
                && (Character.isIdeographic(c) || (c >= 0x3040 && c <= 0x30FF) || (c >= 0xAC00 && c <= 0xD7A3));
    }

    /** Joins two halves of an identifier, a path, a version or a shortened word. */
    static boolean isJoiner(char c) {
        return switch (c) {
            case '_', '-', '.', '/', '\\', '@', '+', '\'', '\u2019' -> true;
            default -> false;
        };
    }

    static boolean isSlash(char c) {
        return c == '/' || c == '\\';
    }

    static boolean isApostrophe(char c) {
        return c == '\'' || c == '\u2019';
    }

    static boolean isUpper(char c) {
        return c < 0x80 ? c >= 'A' && c <= 'Z' : Character.isUpperCase(c);
    }

    static boolean isLower(char c) {
        return c < 0x80 ? c >= 'a' && c <= 'z' : Character.isLowerCase(c);
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static char lower(char c) {
        return c < 0x80 ? (c >= 'A' && c <= 'Z' ? (char) (c + 32) : c) : Character.toLowerCase(c);
    }

    static int hash(char[] chars, int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = hash * 31 + chars[i];
        }
        return mix(hash);
    }

    static int mix(int hash) {
        int mixed = hash * 0x9E3779B9;
        return mixed ^ (mixed >>> 15);
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
