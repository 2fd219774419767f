package dev.xmem.core.answer.render;

import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Makes text of unknown origin safe to embed in the text of xmem. Stateless. */
public final class TextSanitizer {
    private static final String CUT_MARK = "…";
    private static final String INDENT = "\n  ";

    /** Begins where no mark precedes, so that a run of marks inside a word is read once. */
    private static final Pattern END_MARKS = Pattern.compile("(?<![.:!?…])[.:!?…]+$");

    /** The most characters read for each one shown: a cut must not read a megabyte of blanks. */
    private static final int LOOK_AHEAD = 8;

    /**
     * Terminal commands: CSI sequences, OSC and other strings with their terminator, and two-character ones. Compiled
     * for the first text that is not plain.
     */
    private static final class Terminal {
        static final Pattern COMMAND = Pattern.compile("(?:\u001B\\[|\u009B)[0-?]*+[ -/]*+[@-~]"
                + "|\u001B[\\]PX^_][^\u0007\u001B\u009C\n]*+(?:\u0007|\u001B\\\\|\u009C)"
                + "|\u001B[ -/]*+[0-~]");
    }

    private TextSanitizer() {}

    /** A value in one line: white space is folded, control characters are removed. */
    public static String line(String value) {
        return line(value, Integer.MAX_VALUE);
    }

    /** A value in one line of at most this many characters; a cut value ends with an ellipsis. */
    public static String line(String value, int most) {
        boolean far = value.length() / LOOK_AHEAD > most;
        String text = fold(strip(far ? head(value, most * LOOK_AHEAD) : value));
        return far && text.length() < most ? text + CUT_MARK : cut(text, most);
    }

    /** A value that keeps its lines: every line after the first is indented, blank lines are left out. */
    static String block(String value) {
        String text = strip(value).strip();
        if (text.indexOf('\n') < 0) {
            return text;
        }
        StringJoiner lines = new StringJoiner(INDENT);
        text.lines().filter(line -> !line.isBlank()).forEach(line -> lines.add(line.stripTrailing()));
        return lines.toString();
    }

    /** At most this many characters of a text; a cut text ends with an ellipsis. */
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return most <= 0 ? "" : head(text, most - 1) + CUT_MARK;
    }

    /** The whole text if it fits; otherwise the longest cut that fits, and at least this many characters. */
    static String cut(String text, int least, Predicate<String> fits) {
        if (fits.test(text)) {
            return text;
        }
        int low = least;
        int high = text.length();
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (fits.test(cut(text, middle))) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return cut(text, low);
    }

    /** A word without the punctuation marks at its end. */
    public static String withoutEndMarks(CharSequence word) {
        return END_MARKS.matcher(word).replaceAll("");
    }

    /** A value as a JSON string, quotes included. */
    public static String json(String value) {
        StringBuilder out = new StringBuilder(value.length() + 2).append('"');
        value.codePoints().forEach(c -> escape(out, c));
        return out.append('"').toString();
    }

    /** The longest prefix of a value whose JSON string has at most this many characters, quotes included. */
    static String json(String value, int most) {
        StringBuilder out = new StringBuilder("\"");
        int i = 0;
        while (i < value.length()) {
            int before = out.length();
            int c = value.codePointAt(i);
            escape(out, c);
            if (out.length() > most - 2) {
                return out.replace(before, out.length(), CUT_MARK).append('"').toString();
            }
            i += Character.charCount(c);
        }
        return out.append('"').toString();
    }

    private static void escape(StringBuilder out, int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (Character.isISOControl(c) || isLoneSurrogate(c) || c == 0x2028 || c == 0x2029) {
                    out.append(String.format("\\u%04x", c));
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }

    private static boolean isLoneSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    /** The first characters of a text, without splitting a surrogate pair. */
    private static String head(String text, int chars) {
        boolean parts = chars > 0 && Character.isHighSurrogate(text.charAt(chars - 1));
        return text.substring(0, parts ? chars - 1 : chars);
    }

    /** The text without invisible characters; every kind of line end becomes a line feed. */
    private static String strip(String value) {
        if (isPlain(value)) {
            return value;
        }
        String text = Terminal.COMMAND.matcher(value).replaceAll("");
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(TextSanitizer::shown).filter(c -> c >= 0).forEach(out::appendCodePoint);
        return out.toString();
    }

    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' && c != '\n' || c >= 0x7F) {
                return false;
            }
        }
        return true;
    }

    /** The character to show for a character; -1 for none. */
    private static int shown(int c) {
        return switch (Character.getType(c)) {
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> '\n';
            case Character.CONTROL -> control(c);
            case Character.SURROGATE -> 0xFFFD;
            case Character.FORMAT -> c < 0x200B || c == 0x200C || c == 0x200D ? c : -1;
            default -> c;
        };
    }

    private static int control(int c) {
        if (c == '\t') {
            return ' ';
        }
        return c >= '\n' && c <= '\r' || c == 0x85 ? '\n' : -1;
    }

    private static String fold(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean gap = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ' ' || c == '\n') {
                gap = !out.isEmpty();
                continue;
            }
            if (gap) {
                out.append(' ');
            }
            out.append(c);
            gap = false;
        }
        return out.toString();
    }
}
