package dev.xmem.core.answer.render;

import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Foreign text, made safe to stand in ours. Stateless. */
public final class TextSanitizer {
    private static final String CUT_MARK = "…";
    private static final String INDENT = "\n  ";

    /** How many characters are looked at for each one that is shown: a cut must not read a megabyte of blanks. */
    private static final int LOOK_AHEAD = 8;

    /**
     * What terminals take as commands: CSI sequences, OSC and other strings with their end, and two-character ones. Made for
     * the first text that is not plain.
     */
    private static final class Terminal {
        static final Pattern COMMAND = Pattern.compile("(?:\u001B\\[|\u009B)[0-?]*+[ -/]*+[@-~]"
                + "|\u001B[\\]PX^_][^\u0007\u001B\u009C\n]*+(?:\u0007|\u001B\\\\|\u009C)"
                + "|\u001B[ -/]*+[0-~]");
    }

    private TextSanitizer() {}

    /** A value in one line: white space folded, control characters removed. */
    public static String line(String value) {
        return line(value, Integer.MAX_VALUE);
    }

    /** A value in one line of at most this many characters; what is cut ends with an ellipsis. */
    public static String line(String value, int most) {
        boolean far = value.length() / LOOK_AHEAD > most;
        String text = fold(strip(far ? head(value, most * LOOK_AHEAD) : value));
        return far && text.length() < most ? text + CUT_MARK : cut(text, most);
    }

    /** A value that keeps its lines: every line after the first is indented, blank ones are left out. */
    static String block(String value) {
        String text = strip(value).strip();
        if (text.indexOf('\n') < 0) {
            return text;
        }
        StringJoiner lines = new StringJoiner(INDENT);
        text.lines().filter(line -> !line.isBlank()).forEach(line -> lines.add(line.stripTrailing()));
        return lines.toString();
    }

    /** At most this many characters of a text; what is cut ends with an ellipsis. */
    public static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        return most <= 0 ? "" : head(text, most - 1) + CUT_MARK;
    }

    /** A value as a JSON string, quotes included. */
    public static String json(String value) {
        StringBuilder out = new StringBuilder(value.length() + 2).append('"');
        value.codePoints().forEach(c -> escape(out, c));
        return out.append('"').toString();
    }

    /** As much of a value as becomes a JSON string of at most this many characters, its quotes included. */
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

    /** The first characters of a text, no surrogate pair parted. */
    private static String head(String text, int chars) {
        boolean parts = chars > 0 && Character.isHighSurrogate(text.charAt(chars - 1));
        return text.substring(0, parts ? chars - 1 : chars);
    }

    /** Without what cannot be seen; every kind of line end is a line feed. */
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

    /** The character to show for one; -1 for none. */
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
