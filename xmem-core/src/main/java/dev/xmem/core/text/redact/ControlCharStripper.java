package dev.xmem.core.text.redact;

/**
 * Takes out what is no text: terminal sequences, control characters except line feed and tab, bidirectional controls, tag
 * characters, invisible ones. What is left has no half surrogate pairs either. Stateless; linear in the text.
 *
 * <p>U+200C and U+200D stay, which scripts and emoji need, except right before ASCII after ASCII, where they only part a
 * word. What an escape sequence carries goes with it; an unended one ends with its line.
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

    /** The text without them: the same one if it has none. */
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
        if (c < 0x2000) {
            return c != 0xAD && c != 0x61C && c != 0x180E;
        }
        if (c < 0x2070) {
            return !(c >= 0x200B && c <= 0x200F || c >= 0x202A && c <= 0x202E || c >= 0x2060);
        }
        return c < 0xD800 || c > 0xDFFF && c != 0xFEFF && !(c >= 0xFFF9 && c <= 0xFFFB);
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
        return out.length() == text.length() && out.compareTo(new StringBuilder(text)) == 0 ? text : out.toString();
    }

    private void special(char c) {
        if (c == ESC || c >= 0x80 && c <= 0x9F) {
            at = afterSequence(c);
        } else if (c == '\r') {
            out.append('\n');
            at += peek(1) == '\n' ? 2 : 1;
        } else if (Character.isSurrogate(c)) {
            surrogate(c);
        } else if (c == 0x200C || c == 0x200D) {
            joiners();
        } else {
            at++;
        }
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    private void surrogate(char c) {
        char low = peek(1);
        if (!Character.isHighSurrogate(c) || !Character.isLowSurrogate(low)) {
            out.append(REPLACEMENT);
            at++;
            return;
        }
        int codePoint = Character.toCodePoint(c, low);
        if (codePoint < 0xE0000 || codePoint > 0xE007F) {
            out.append(c).append(low);
        }
        at += 2;
    }

    /** A run of joiners is decided as one, so that a long one is read once. */
    private void joiners() {
        int end = at;
        while (end < text.length() && (text.charAt(end) == 0x200C || text.charAt(end) == 0x200D)) {
            end++;
        }
        boolean before = !out.isEmpty() && out.charAt(out.length() - 1) < 0x80;
        boolean after = end < text.length() && text.charAt(end) < 0x80;
        if (!before || !after) {
            out.append(text, at, end);
        }
        at = end;
    }

    private int afterSequence(char c) {
        boolean seven = c == ESC;
        char kind = seven ? peek(1) : (char) (c - 0x40);
        int body = at + (seven ? 2 : 1);
        return switch (kind) {
            case '[' -> afterControl(body);
            case ']', 'P', 'X', '^', '_' -> afterString(body);
            default -> seven ? afterShort(at + 1) : at + 1;
        };
    }

    /** Parameters, intermediates, one final character; a sequence that is none of these loses what it has of them. */
    private int afterControl(int i) {
        i = afterRange(i, '0', '?');
        i = afterRange(i, ' ', '/');
        return i < text.length() && text.charAt(i) >= '@' && text.charAt(i) <= '~' ? i + 1 : i;
    }

    private int afterShort(int i) {
        i = afterRange(i, ' ', '/');
        return i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '~' ? i + 1 : i;
    }

    private int afterRange(int i, char first, char last) {
        while (i < text.length() && text.charAt(i) >= first && text.charAt(i) <= last) {
            i++;
        }
        return i;
    }

    private int afterString(int i) {
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == BEL || c == 0x9C) {
                return i + 1;
            } else if (c == ESC) {
                return i + 1 < text.length() && text.charAt(i + 1) == '\\' ? i + 2 : i;
            } else if (c == '\n' || c == '\r') {
                return i;
            }
            i++;
        }
        return i;
    }
}
