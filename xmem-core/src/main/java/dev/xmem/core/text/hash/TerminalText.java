package dev.xmem.core.text.hash;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

/** Splits an error into the lines that a terminal shows: without escapes, overwritten progress, trailing blanks. */
final class TerminalText {
    private static final int END_CHARS = 16_384;
    /** The lines that are read from the beginning, and from the end. */
    static final int END_LINES = 200;

    /** ANSI sequences, and control characters other than line feed, carriage return and tab. */
    private static final LiteralPattern ESCAPES =
            new LiteralPattern("\\x1b(?:\\[[ -?]*+(?s:.?)|\\][^\\x07\\x1b]{0,199}(?:\\x07|\\x1b(?s:.?))|(?s:.?))"
                    + "|[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]");

    private TerminalText() {}

    /**
     * The lines that are not blank, in NFC: of a long text the first and the last {@value #END_LINES} in its first and
     * last 16,384 characters.
     *
     * @param shown whether {@link #isPlain} holds for the text
     */
    static List<String> lines(String text, boolean shown) {
        String plain = shown ? text : ESCAPES.matcher(normalized(bounded(text))).replaceAll("");
        boolean overwritten = plain.indexOf('\r') >= 0;
        List<String> lines = new ArrayList<>();
        int start = 0;
        boolean last = false;
        while (start <= plain.length()) {
            if (!last && lines.size() == END_LINES) {
                start = lastLines(plain, start);
                last = true;
            }
            int end = plain.indexOf('\n', start);
            end = end < 0 ? plain.length() : end;
            addLine(plain, start, end, overwritten, lines);
            start = end + 1;
        }
        return lines;
    }

    /** Where the last {@value #END_LINES} lines that are not blank begin, but not before a place. */
    static int lastLines(String text, int from) {
        int found = 0;
        boolean shown = false;
        for (int i = text.length(); i > from; i--) {
            char c = text.charAt(i - 1);
            if (c == '\n' && shown && ++found == END_LINES) {
                return i;
            }
            shown = c != '\n' && (shown || c > ' ');
        }
        return from;
    }

    /** The first and the last 16,384 characters of a long text. */
    static String bounded(String text) {
        if (text.length() <= 2 * END_CHARS) {
            return text;
        }
        int head = Character.isHighSurrogate(text.charAt(END_CHARS - 1)) ? END_CHARS - 1 : END_CHARS;
        int tail = text.length() - END_CHARS;
        tail = Character.isLowSurrogate(text.charAt(tail)) ? tail + 1 : tail;
        return text.substring(0, head) + '\n' + text.substring(tail);
    }

    /** Whether the text is short and has no characters but those of ASCII that a terminal shows. */
    static boolean isPlain(String text) {
        boolean plain = text.length() <= 2 * END_CHARS;
        for (int i = 0; plain && i < text.length(); i++) {
            char c = text.charAt(i);
            plain = c >= ' ' && c < 0x7f || c == '\n' || c == '\r' || c == '\t';
        }
        return plain;
    }

    private static String normalized(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0x2ff) {
                return Normalizer.normalize(text, Normalizer.Form.NFC);
            }
        }
        return text;
    }

    private static void addLine(String text, int from, int to, boolean overwritten, List<String> lines) {
        int end = to;
        while (end > from && text.charAt(end - 1) <= ' ') {
            end--;
        }
        int start = overwritten ? end : from;
        while (start > from && text.charAt(start - 1) != '\r') {
            start--;
        }
        String line = text.substring(start, end);
        if (!line.isBlank()) {
            lines.add(line);
        }
    }
}
