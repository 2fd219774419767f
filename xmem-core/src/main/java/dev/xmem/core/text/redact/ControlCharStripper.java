package dev.xmem.core.text.redact;

/**
 * Removes what is not visible text: terminal escape sequences, control characters except line feed and tab, and all
 * {@linkplain InvisibleText invisible} code points. Line ends become line feeds and unpaired surrogates U+FFFD. Linear
 * in the length of the text.
 *
 * <p>A joiner or a variation selector stays where a script or an emoji needs it. An escape sequence is removed with its
 * parameters; an unterminated one ends with its line.
 */
final class ControlCharStripper {
    private static final char ESC = 0x1B;
    private static final char BEL = 0x07;
    private static final char REPLACEMENT = '\uFFFD';

    private final String text;
    private final StringBuilder out;
    private int at;

    private ControlCharStripper(String text, int clean) {
        this.text = text;
        this.out = new StringBuilder(text.length()).append(text, 0, clean);
        this.at = clean;
    }

    /** Returns the visible text: the same string if nothing has to be removed. */
    static String removed(String text) {
        int i = 0;
        while (i < text.length() && isPlain(text.charAt(i))) {
            i++;
        }
        return i == text.length() ? text : new ControlCharStripper(text, i).rest();
    }

    private static boolean isPlain(char c) {
        return c < 0x7F ? c >= ' ' || c == '\n' || c == '\t' : c >= 0xA0 && isPlainWide(c);
    }

    private static boolean isPlainWide(char c) {
        return c < 0x300 ? c != 0xAD : !Character.isSurrogate(c) && !InvisibleText.isInvisible(c);
    }

    private String rest() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (isPlain(c)) {
                out.append(c);
                at++;
            } else {
                special(c);
            }
        }
        return text.contentEquals(out) ? text : out.toString();
    }

    private void special(char c) {
        if (c == ESC || c >= 0x80 && c <= 0x9F) {
            at = afterSequence(c);
        } else if (c == '\r') {
            out.append('\n');
            at += next() == '\n' ? 2 : 1;
        } else if (Character.isSurrogate(c) && !Character.isSurrogatePair(c, next())) {
            out.append(REPLACEMENT);
            at++;
        } else {
            codePoint();
        }
    }

    private char next() {
        return at + 1 < text.length() ? text.charAt(at + 1) : 0;
    }

    /** Keeps a code point if it is visible or part of a sequence that people write. */
    private void codePoint() {
        int c = text.codePointAt(at);
        at += Character.charCount(c);
        if (Character.isISOControl(c)) {
            return;
        }
        if (!InvisibleText.isInvisible(c)) {
            out.appendCodePoint(c);
            return;
        }
        int end = out.length();
        int before = end == 0 ? -1 : out.codePointBefore(end);
        boolean selected = InvisibleText.isVariationSelector(before);
        if (selected) {
            end -= Character.charCount(before);
            before = end == 0 ? -1 : out.codePointBefore(end);
        }
        int after = at < text.length() ? text.codePointAt(at) : -1;
        if (InvisibleText.belongs(before, selected, c, after)) {
            out.appendCodePoint(c);
        }
    }

    private int afterSequence(char c) {
        boolean sevenBit = c == ESC;
        char kind = sevenBit ? next() : (char) (c - 0x40);
        int body = at + (sevenBit ? 2 : 1);
        return switch (kind) {
            case '[' -> afterFinal(afterRange(body, '0', '?'), '@');
            case ']', 'P', 'X', '^', '_' -> afterString(body);
            default -> sevenBit ? afterFinal(at + 1, '0') : at + 1;
        };
    }

    /** Skips intermediate bytes and one final byte, if it is there. */
    private int afterFinal(int from, char first) {
        int i = afterRange(from, ' ', '/');
        return i < text.length() && text.charAt(i) >= first && text.charAt(i) <= '~' ? i + 1 : i;
    }

    private int afterRange(int from, char first, char last) {
        int i = from;
        while (i < text.length() && text.charAt(i) >= first && text.charAt(i) <= last) {
            i++;
        }
        return i;
    }

    private int afterString(int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == BEL || c == 0x9C) {
                return i + 1;
            } else if (c == ESC) {
                return i + 1 < text.length() && text.charAt(i + 1) == '\\' ? i + 2 : i;
            } else if (c == '\n' || c == '\r') {
                return i;
            }
        }
        return text.length();
    }
}
