package dev.xmem.core.answer.render;

import dev.xmem.core.text.redact.InvisibleText;
import java.util.StringJoiner;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Makes text of unknown origin safe to embed in the text of xmem. Stateless. */
public final class TextSanitizer {
    /** The end of a text that was cut. */
    public static final String CUT_MARK = "…";

    private static final String INDENT = "\n  ";

    private static final String END_MARKS = ".:!?…";

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
        String text = fold(visible(far ? head(value, most * LOOK_AHEAD) : value));
        return far && text.length() < most ? text + CUT_MARK : cut(text, most);
    }

    /** Stored text in one line for a model; quoted where it looks like something that xmem says. */
    public static String said(String value, int most) {
        return PromptEscaping.said(value, most);
    }

    /** An id; quoted unless it is a word of the letters and marks that ids have. */
    public static String id(String value) {
        return PromptEscaping.id(value);
    }

    /** A command line between backticks, or between quotation marks if it contains a backtick. */
    public static String call(String value, int most) {
        String line = PromptEscaping.line(value, most);
        return line.indexOf('`') < 0 ? '`' + line + '`' : PromptEscaping.quoted(line, most + 2);
    }

    /** A value that keeps its lines: every line after the first is indented, blank lines are left out. */
    static String block(String value) {
        String text = visible(value).strip();
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
        int end = word.length();
        while (end > 0 && END_MARKS.indexOf(word.charAt(end - 1)) >= 0) {
            end--;
        }
        return word.subSequence(0, end).toString();
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
                if (isEscaped(c)) {
                    for (char unit : Character.toChars(c)) {
                        out.append(String.format("\\u%04x", (int) unit));
                    }
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }

    /** Whether a code point is shown as its escape in JSON, where the escape means the same. */
    private static boolean isEscaped(int c) {
        return Character.isISOControl(c)
                || isLoneSurrogate(c)
                || c == 0x2028
                || c == 0x2029
                || InvisibleText.isInvisible(c);
    }

    /**
     * A JSON text in one line, with escapes for what shows nothing. In valid JSON line ends are between tokens only,
     * where a space means the same, and other such characters are inside strings.
     */
    public static String jsonInOneLine(String json) {
        if (json.chars().allMatch(c -> c >= ' ' && c < 0x7F)) {
            return json;
        }
        StringBuilder out = new StringBuilder(json.length());
        json.codePoints().forEach(c -> {
            if (c < ' ') {
                out.append(' ');
            } else if (isEscaped(c)) {
                escape(out, c);
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    private static boolean isLoneSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    private static boolean isJoiner(char c) {
        return c == 0x200C || c == 0x200D;
    }

    /** The first characters of a text, without splitting a surrogate pair or what is joined. */
    private static String head(String text, int chars) {
        int end = chars;
        while (end > 0 && (Character.isHighSurrogate(text.charAt(end - 1)) || isJoiner(text.charAt(end - 1)))) {
            end--;
        }
        return text.substring(0, end);
    }

    /** The text without invisible characters; every kind of line end becomes a line feed. */
    public static String visible(String value) {
        if (isPlain(value)) {
            return value;
        }
        String text = Terminal.COMMAND.matcher(value).replaceAll("");
        StringBuilder out = new StringBuilder(text.length());
        int before = -1;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            int shown = InvisibleText.isInvisible(c)
                    ? joiner(before, c, i < text.length() ? text.codePointAt(i) : -1)
                    : shown(c);
            if (shown >= 0) {
                out.appendCodePoint(shown);
                before = shown;
            } else if (!InvisibleText.isVariationSelector(c)) {
                before = -1;
            }
        }
        return out.toString();
    }

    /** A joiner that belongs between its neighbours; -1 for everything else that shows nothing. */
    private static int joiner(int before, int c, int after) {
        return !InvisibleText.isVariationSelector(c) && InvisibleText.belongs(before, false, c, after) ? c : -1;
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
            case Character.FORMAT -> c < 0x200B ? c : -1;
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
        return isFolded(text) ? text : folded(text);
    }

    private static boolean isFolded(String text) {
        boolean gap = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || gap && c == ' ') {
                return false;
            }
            gap = c == ' ';
        }
        return !gap || text.isEmpty();
    }

    private static String folded(String text) {
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
