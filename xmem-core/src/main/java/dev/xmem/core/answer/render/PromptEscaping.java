package dev.xmem.core.answer.render;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The one way of stored text into a text that a model may read. The result has no invisible characters and nothing that
 * models and chat formats read as the end of a quotation or as another role; it stays in its place, one line or
 * indented lines; and where it looks like something that xmem says, it is between {@code “} and {@code ”}, which it
 * cannot contain. Words stay readable; markup has no effect. Decision: docs/adr/0063-one-way-to-the-model.md.
 */
final class PromptEscaping {
    private static final int ID_CHARS = 120;
    private static final int LONGEST_ID = 80;
    private static final String ID_MARKS = "._@/+-";
    private static final boolean[] LETTERS_AND_DIGITS = ascii("");
    private static final boolean[] ID = ascii(ID_MARKS);

    /** The characters that cannot be markup, begin a turn, or be a remark in brackets; a hyphen only by itself. */
    private static final boolean[] PLAIN = ascii(" .,;/_'");

    /** The first words of labels of xmem, and what must follow each; or {@link #TIME} follows the first word. */
    private static final Map<String, String> LABEL_WORDS = Map.ofEntries(
            Map.entry("a", " similar failure, "),
            Map.entry("also", ", "),
            Map.entry("confidence", ""),
            Map.entry("do", " not try"),
            Map.entry("entry", " "),
            Map.entry("failed", " "),
            Map.entry("for", " a similar failure"),
            Map.entry("notes", ""),
            Map.entry("seen", " "),
            Map.entry("team", ""),
            Map.entry("this", " network failure"),
            Map.entry("tried", ""),
            Map.entry("worked", ""),
            Map.entry("your", " other projects"));

    private static final String TIME = " time in this session";

    private static boolean[] ascii(String marks) {
        boolean[] in = new boolean[0x80];
        for (char c = 0; c < in.length; c++) {
            in[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || marks.indexOf(c) >= 0;
        }
        return in;
    }

    /** Compiled for the first line that is not plain. */
    private static final class Markup {
        static final String ROLES =
                "system|assistant|user|human|developer|tool|tool_use|tool_result|function|function_calls|function_results"
                        + "|instructions|invoke|antml|im_start|im_end|im_sep|s|endoftext";

        static final Pattern FENCE = Pattern.compile("\\[(/?)xmem\\b", Pattern.CASE_INSENSITIVE);
        static final Pattern TAG =
                Pattern.compile("<(/?\\s*+(?:" + ROLES + ")(?:[ :][^<>]{0,80})?+)>", Pattern.CASE_INSENSITIVE);
        static final Pattern TURN = Pattern.compile(
                "(?<![^\\s\"'(\\[>|#*])(\\**(?:system|assistant|user|human|developer|ai)\\**)\\s*+:(?=\\s|$|\\*)",
                Pattern.CASE_INSENSITIVE);

        /** A role at the beginning of a line, where it begins a turn; elsewhere it may be a word of the sentence. */
        static final Pattern FIRST_TURN = Pattern.compile(
                "^(\\W*(?:system|assistant|user|human|developer|ai)\\**)\\s*+:(?=\\s|$|\\*)",
                Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

        static final Pattern BLOCK = Pattern.compile("\\[(/?(?:INST|SYS))\\]|<<(/?SYS)>>", Pattern.CASE_INSENSITIVE);
        static final Pattern RUN = Pattern.compile("([`~=#-])\\1{2,}+");

        /** Quotation marks that look like those around a quotation. */
        static final Pattern QUOTE = Pattern.compile("[\u201C-\u201F\u2033\u275D\u275E\u301D-\u301F\uFF02]");
    }

    /** What xmem says of entries, beside their text. Compiled for the first line that may have it. */
    private static final class Remark {
        static final Pattern BRACKETED = Pattern.compile(
                "[\\p{Ps}&&[^{]][^\\p{Ps}]*?\\b(?:entry|entries|verified|unverified|worked|failed|seen|used|confidence"
                        + "|strength|sessions?|peers?|critical|evidence)\\b",
                Pattern.CASE_INSENSITIVE);
        static final Pattern COUNT = Pattern.compile("\\d\\s?×");
    }

    /** With what a line of xmem begins. Compiled for the first line whose first words may be those of such a line. */
    private static final class Label {
        static final Pattern LABEL = Pattern.compile(
                "\\W*(?:a similar failure, |also, |confidence\\s*:|do not try|entry |failed in this session"
                        + "|failed before\\s*:|for a similar failure|notes\\s*:|seen \\d|this network failure|(?:tried|worked)\\b[^:]{0,30}:"
                        + "|(?:team|your other projects)\\s*:|\\w+" + TIME + ")",
                Pattern.CASE_INSENSITIVE);
    }

    private PromptEscaping() {}

    /** A value in one line of at most this many characters; a role has no colon behind it anywhere in the line. */
    static String line(String value, int most) {
        return line(value, most, Markup.TURN);
    }

    private static String line(String value, int most, Pattern turn) {
        String line = TextSanitizer.line(value, most);
        return isPlain(line) ? line : TextSanitizer.cut(escaped(line, turn), most);
    }

    /** A value in one line of at most this many characters; quoted where it looks like something that xmem says. */
    static String said(String value, int most) {
        String line = TextSanitizer.line(value, most);
        if (isPlain(line)) {
            return isLabel(line) ? quote(line, most) : line;
        }
        line = TextSanitizer.cut(escaped(line, Markup.FIRST_TURN), most);
        return !isPlain(line) && hasRemark(line) || isLabel(line) ? quote(line, most) : line;
    }

    /** Whether a line begins with a label of xmem. Its first words rule most lines out. */
    static boolean isLabel(String line) {
        int from = 0;
        while (from < line.length() && !isWordChar(line.charAt(from))) {
            from++;
        }
        int end = from;
        while (end < line.length() && isWordChar(line.charAt(end))) {
            end++;
        }
        String next = LABEL_WORDS.get(line.substring(from, end).toLowerCase(Locale.ROOT));
        boolean possible = next != null && line.regionMatches(true, end, next, 0, next.length())
                || line.regionMatches(true, end, TIME, 0, TIME.length());
        return possible && matchesLabel(line);
    }

    /** The same, without the look at the first words. */
    static boolean matchesLabel(String line) {
        return Label.LABEL.matcher(line).lookingAt();
    }

    private static boolean isWordChar(char c) {
        return c == '_' || isIn(LETTERS_AND_DIGITS, c);
    }

    private static boolean isIn(boolean[] chars, char c) {
        return c < chars.length && chars[c];
    }

    /** A value in one line between quotation marks. */
    static String quoted(String value, int most) {
        return quote(line(value, most), most);
    }

    private static String quote(String line, int most) {
        return '“' + TextSanitizer.cut(line, most - 2) + '”';
    }

    /** A name, such as that of a tool; quoted unless it is a single word. */
    static String name(String value, int most) {
        String line = line(value, most, Markup.FIRST_TURN);
        boolean word = line.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || "-._+/@#".indexOf(c) >= 0);
        return word ? line : quote(line, most);
    }

    /** An id; quoted unless it is a word of the letters and marks that ids have. */
    static String id(String value) {
        boolean plain = !value.isEmpty() && value.length() <= LONGEST_ID && isIn(LETTERS_AND_DIGITS, value.charAt(0));
        for (int i = 1; plain && i < value.length(); i++) {
            plain = isIn(ID, value.charAt(i));
        }
        return plain ? value : quoted(value, ID_CHARS);
    }

    /**
     * A value that keeps its lines; those after the first are indented. Quoted where it looks like a remark of xmem.
     */
    static String block(String value) {
        String text = TextSanitizer.block(value);
        if (isPlain(text)) {
            return text;
        }
        String escaped = escaped(text, Markup.FIRST_TURN);
        return hasRemark(escaped) ? '“' + escaped + '”' : escaped;
    }

    private static boolean hasRemark(String text) {
        return Remark.BRACKETED.matcher(text).find()
                || Remark.COUNT.matcher(text).find();
    }

    private static String escaped(String text, Pattern turn) {
        String line = Markup.QUOTE.matcher(text).replaceAll("\"");
        line = Markup.FENCE.matcher(line).replaceAll("($1xmem");
        line = line.replace("<|", "< |").replace("|>", "| >");
        line = Markup.TAG.matcher(line).replaceAll("($1)");
        line = Markup.BLOCK.matcher(line).replaceAll("($1$2)");
        line = Markup.RUN.matcher(line).replaceAll("$1$1");
        return turn.matcher(line).replaceAll("$1 -");
    }

    /** Whether nothing in a line can be markup, begin a turn, or be a remark in brackets. */
    private static boolean isPlain(String line) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean mark = c == '-' && (i == 0 || line.charAt(i - 1) != '-');
            if (!mark && !isIn(PLAIN, c)) {
                return false;
            }
        }
        return true;
    }
}
