package dev.xmem.core.text.regex;

import dev.xmem.XMemException;
import dev.xmem.core.text.analysis.WordChars;
import org.jspecify.annotations.Nullable;

/**
 * What the text of a compiled pattern says about how it runs: a literal that every match holds, and whether it could
 * backtrack without looking at characters.
 *
 * <p>At the end of a text {@code java.util.regex} decides without reading, and every part that can match there in two
 * ways doubles the ways through the whole: {@code (a?|b?)}, {@code (a*)*}, {@code (|)}. Step counting cannot see that.
 * So a repetition's body may not be able to match nothing, and at most one alternative may. Then from each place there is
 * one way that reads nothing, no longer than the pattern; parts that read nothing raise the price of a step instead.
 *
 * <p>The walk only has to understand patterns that compile. Where it would be unsure it refuses: comments mode and
 * classes that begin with a bracket.
 */
final class RegexInspector {
    private final String pattern;
    private int at;
    private int silent;
    private int depth;
    private boolean caseless;
    private boolean alternatives;
    private final StringBuilder run = new StringBuilder();
    private String longest = "";

    private RegexInspector(String pattern, boolean ignoreCase) {
        this.pattern = pattern;
        this.caseless = ignoreCase;
    }

    static RegexInspector of(String pattern, boolean ignoreCase) {
        RegexInspector shape = new RegexInspector(withoutQuotes(pattern), ignoreCase);
        shape.alternation();
        shape.endRun();
        return shape;
    }

    @Nullable String literal() {
        return caseless || alternatives || longest.isEmpty() ? null : longest;
    }

    /** What one look at a character costs: more, the more a pattern does between two looks. */
    int price() {
        return 1 + silent / 16;
    }

    /** Reads alternatives up to the closing parenthesis or the end; true when they can match nothing. */
    private boolean alternation() {
        boolean nullable = sequence();
        while (at < pattern.length() && pattern.charAt(at) == '|') {
            alternatives |= depth == 0;
            at++;
            if (sequence() && nullable) {
                throw refuse("more than one alternative can match nothing; write (a|b)? instead of (a|b|) or (a?|b?)");
            } else {
                nullable |= lastSequence;
            }
        }
        return nullable;
    }

    private boolean lastSequence;

    private boolean sequence() {
        boolean nullable = true;
        while (at < pattern.length() && pattern.charAt(at) != '|' && pattern.charAt(at) != ')') {
            nullable &= quantified();
        }
        lastSequence = nullable;
        return nullable;
    }

    private boolean quantified() {
        int begin = at;
        String plain = plainCharacter();
        boolean nullable = plain == null && atom();
        int least = least();
        if (least >= 0 && nullable) {
            at = begin;
            throw refuse("what is repeated here can match nothing; write a* instead of (a*)* or (a?)+");
        }
        literal(plain, least);
        return nullable || least == 0;
    }

    private void literal(@Nullable String plain, int least) {
        if (depth > 0) {
            return;
        }
        if (plain == null || least == 0) {
            endRun();
            return;
        }
        run.append(plain);
        if (least > 0) {
            endRun();
        }
    }

    private void endRun() {
        if (depth == 0 && run.length() > longest.length()) {
            longest = run.toString();
        }
        if (depth == 0) {
            run.setLength(0);
        }
    }

    /** Reads a character that stands for itself; null when something else is next. */
    private @Nullable String plainCharacter() {
        char c = pattern.charAt(at);
        if (c == '\\' && at + 1 < pattern.length() && !WordChars.isAsciiLetterOrDigit(pattern.charAt(at + 1))) {
            return codePoint(at + 1);
        }
        return "\\[(.^$".indexOf(c) >= 0 ? null : codePoint(at);
    }

    private String codePoint(int from) {
        at = from + Character.charCount(pattern.codePointAt(from));
        return pattern.substring(from, at);
    }

    /** Reads anything but a plain character; true when it can match nothing. */
    private boolean atom() {
        return switch (pattern.charAt(at)) {
            case '(' -> group();
            case '[' -> characterClass();
            case '\\' -> escape();
            case '^', '$' -> silent();
            default -> read();
        };
    }

    private boolean silent() {
        silent++;
        at++;
        return true;
    }

    private boolean read() {
        at++;
        return false;
    }

    private boolean group() {
        silent++;
        int begin = at++;
        boolean look = false;
        if (at < pattern.length() && pattern.charAt(at) == '?') {
            at++;
            look = isLook();
            if (!look && prefixWithoutBody(begin)) {
                return true;
            }
        }
        endRun();
        depth++;
        boolean nullable = alternation();
        depth--;
        at++;
        return nullable || look;
    }

    private boolean isLook() {
        int length = at < pattern.length() && pattern.charAt(at) == '<' ? 1 : 0;
        char c = at + length < pattern.length() ? pattern.charAt(at + length) : ' ';
        if (c != '=' && c != '!') {
            return false;
        }
        at += length + 1;
        return true;
    }

    /** Reads a name, {@code >}, or flags; true when flags stand alone, as in {@code (?i)}. */
    private boolean prefixWithoutBody(int begin) {
        char end = pattern.charAt(at) == '<' || pattern.charAt(at) == '>' ? '>' : ':';
        while (pattern.charAt(at) != end && pattern.charAt(at) != ')') {
            flag(pattern.charAt(at), end, begin);
            at++;
        }
        return pattern.charAt(at++) == ')';
    }

    private void flag(char c, char end, int begin) {
        if (end == ':' && c == 'i') {
            caseless = true;
        }
        if (end == ':' && c == 'x') {
            at = begin;
            throw refuse("the comments mode (?x) is not supported; leave it out");
        }
    }

    private boolean characterClass() {
        int begin = at;
        int open = 0;
        do {
            char c = pattern.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '[') {
                open++;
                refuseBracketFirst(begin);
            } else if (c == ']') {
                open--;
            }
            at++;
        } while (open > 0);
        return false;
    }

    private void refuseBracketFirst(int begin) {
        int next = at + 1 < pattern.length() && pattern.charAt(at + 1) == '^' ? at + 2 : at + 1;
        if (next < pattern.length() && pattern.charAt(next) == ']') {
            at = begin;
            throw refuse("write \\] for a bracket inside a character class");
        }
    }

    private boolean escape() {
        char c = pattern.charAt(at + 1);
        at += 2;
        switch (c) {
            case 'p', 'P', 'x', 'N' -> braces(c == 'x' ? 2 : 1);
            case 'u' -> at += 4;
            case 'c' -> at++;
            case '0' -> digits(3);
            case 'k' -> at = pattern.indexOf('>', at) + 1;
            default -> digits(WordChars.isDigit(c) ? 9 : 0);
        }
        boolean nothing = "bBAzZGk".indexOf(c) >= 0 || (c >= '1' && c <= '9');
        if (c == 'b' && pattern.startsWith("{g}", at)) {
            at += 3;
        }
        silent += nothing ? 1 : 0;
        return nothing;
    }

    private void braces(int otherwise) {
        boolean braced = at < pattern.length() && pattern.charAt(at) == '{';
        at = braced ? pattern.indexOf('}', at) + 1 : at + otherwise;
    }

    private void digits(int most) {
        for (int i = 0; i < most && at < pattern.length() && WordChars.isDigit(pattern.charAt(at)); i++) {
            at++;
        }
    }

    /** Reads a quantifier and returns its least count; -1 when there is none. */
    private int least() {
        char c = at < pattern.length() ? pattern.charAt(at) : ' ';
        int least = switch (c) {
            case '?', '*' -> 0;
            case '+' -> 1;
            case '{' -> pattern.startsWith("0", at + 1) ? zeroOrMore() : 1;
            default -> -1;
        };
        if (least < 0) {
            return least;
        }
        at = c == '{' ? pattern.indexOf('}', at) + 1 : at + 1;
        if (at < pattern.length() && (pattern.charAt(at) == '?' || pattern.charAt(at) == '+')) {
            at++;
        }
        return least;
    }

    /** {@code {007}} is seven. */
    private int zeroOrMore() {
        int i = at + 1;
        while (pattern.charAt(i) == '0') {
            i++;
        }
        return WordChars.isDigit(pattern.charAt(i)) ? 1 : 0;
    }

    private XMemException.Syntax refuse(String why) {
        return new XMemException.Syntax("the regular expression is refused: " + why, at);
    }

    /** Writes {@code \Q…\E} with a backslash before each character that needs one, so that the walk need not know it. */
    private static String withoutQuotes(String pattern) {
        if (!pattern.contains("\\Q")) {
            return pattern;
        }
        StringBuilder plain = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            if (pattern.startsWith("\\Q", at)) {
                int end = pattern.indexOf("\\E", at + 2);
                int to = end < 0 ? pattern.length() : end;
                escaped(pattern, at + 2, to, plain);
                at = end < 0 ? to : end + 2;
            } else {
                int length = pattern.charAt(at) == '\\' ? Math.min(2, pattern.length() - at) : 1;
                plain.append(pattern, at, at + length);
                at += length;
            }
        }
        return plain.toString();
    }

    private static void escaped(String pattern, int from, int to, StringBuilder plain) {
        for (int i = from; i < to; i++) {
            char c = pattern.charAt(i);
            if (c < 0x80 && !WordChars.isAsciiLetterOrDigit(c)) {
                plain.append('\\');
            }
            plain.append(c);
        }
    }
}
