package dev.xmem.core.text.regex;

import dev.xmem.XMemException;
import dev.xmem.core.text.analysis.WordChars;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Inspects a pattern that compiles: finds a literal that every match contains, and rejects a pattern that could
 * backtrack without reading characters.
 *
 * <p>At the end of a text {@code java.util.regex} decides without reading. Every part that can match there in two ways
 * doubles the ways through the whole pattern: {@code (a?|b?)}, {@code (a*)*}, {@code (|)}. A count of the characters
 * that are read does not bound that. So the body of a repetition must not match nothing, and at most one alternative
 * may. Then each position has one way that reads nothing, no longer than the pattern; parts that read nothing raise the
 * price of a character instead.
 *
 * <p>The inspector is a recursive-descent parser. It rejects what it could misread: comments mode, and classes that
 * begin with a bracket.
 */
final class RegexInspector {
    /** A quotation {@code \Q…\E}, with its content as group 1, or any other escape. */
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:Q(.*?)(?:\\\\E|\\z)|.)", Pattern.DOTALL);

    private final String pattern;
    private int at;
    private int silent;
    private int depth;
    private boolean caseless;
    private boolean alternatives;
    /** Whether the last alternative can match nothing. */
    private boolean lastNullable;

    private final StringBuilder run = new StringBuilder();
    private String longest = "";

    private RegexInspector(String pattern) {
        this.pattern = pattern;
    }

    static RegexInspector of(String pattern) {
        RegexInspector inspector = new RegexInspector(withoutQuotes(pattern));
        inspector.alternation();
        inspector.endRun();
        return inspector;
    }

    @Nullable String literal() {
        return caseless || alternatives || longest.isEmpty() ? null : longest;
    }

    /** The price of reading one character, which grows with the work between two reads. */
    int price() {
        return 1 + silent / 16;
    }

    /** Reads alternatives up to the closing parenthesis or the end. Returns whether they can match nothing. */
    private boolean alternation() {
        boolean nullable = sequence();
        while (next('|')) {
            alternatives |= depth == 0;
            if (sequence() && nullable) {
                throw refuse("more than one alternative can match nothing; write (a|b)? instead of (a|b|) or (a?|b?)");
            }
            nullable |= lastNullable;
        }
        return nullable;
    }

    private boolean sequence() {
        boolean nullable = true;
        while (at < pattern.length() && pattern.charAt(at) != '|' && pattern.charAt(at) != ')') {
            nullable &= quantified();
        }
        lastNullable = nullable;
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
        if (depth == 0 && plain != null && least != 0) {
            run.append(plain);
        }
        if (plain == null || least >= 0) {
            endRun();
        }
    }

    private void endRun() {
        if (depth == 0) {
            longest = run.length() > longest.length() ? run.toString() : longest;
            run.setLength(0);
        }
    }

    /** Reads a character that stands for itself. Returns null if something else is next. */
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

    /** Reads anything but a plain character. Returns whether it can match nothing. */
    private boolean atom() {
        return switch (pattern.charAt(at)) {
            case '(' -> group();
            case '[' -> characterClass();
            case '\\' -> escape();
            default -> anchorOrDot();
        };
    }

    private boolean anchorOrDot() {
        boolean anchor = pattern.charAt(at++) != '.';
        silent += anchor ? 1 : 0;
        return anchor;
    }

    /** Reads a character if it is next. Returns whether it was. */
    private boolean next(char c) {
        boolean there = at < pattern.length() && pattern.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private boolean group() {
        silent++;
        int begin = at++;
        boolean special = next('?');
        boolean look = special && isLook();
        if (special && !look && prefixWithoutBody(begin)) {
            return true;
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
        boolean look = c == '=' || c == '!';
        at += look ? length + 1 : 0;
        return look;
    }

    /** Reads a name, {@code >}, or flags. Returns whether the group has no body, as in {@code (?i)}. */
    private boolean prefixWithoutBody(int begin) {
        char end = pattern.charAt(at) == '<' || pattern.charAt(at) == '>' ? '>' : ':';
        while (pattern.charAt(at) != end && pattern.charAt(at) != ')') {
            char flag = end == ':' ? pattern.charAt(at) : ' ';
            caseless |= flag == 'i';
            if (flag == 'x') {
                at = begin;
                throw refuse("the comments mode (?x) is not supported; leave it out");
            }
            at++;
        }
        return pattern.charAt(at++) == ')';
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

    /** Reads a quantifier. Returns its least count, of which only 0 matters; -1 if there is none. */
    private int least() {
        char c = at < pattern.length() ? pattern.charAt(at) : ' ';
        int least = switch (c) {
            case '?', '*' -> 0;
            case '+' -> 1;
            case '{' -> isZero(at + 1) ? 0 : 1;
            default -> -1;
        };
        if (least < 0) {
            return least;
        }
        at = c == '{' ? pattern.indexOf('}', at) + 1 : at + 1;
        if (!next('?')) {
            next('+');
        }
        return least;
    }

    /** Whether the least count at an index is zero: not {@code {007}}, which is seven. */
    private boolean isZero(int from) {
        int i = from;
        while (pattern.charAt(i) == '0') {
            i++;
        }
        return i > from && !WordChars.isDigit(pattern.charAt(i));
    }

    private XMemException.Syntax refuse(String why) {
        return new XMemException.Syntax("the regular expression is refused: " + why, at);
    }

    /** Replaces each quotation by its characters, with a backslash before those that need one. */
    private static String withoutQuotes(String pattern) {
        return ESCAPE.matcher(pattern).replaceAll(escape -> {
            String quoted = escape.group(1);
            return Matcher.quoteReplacement(
                    quoted == null ? escape.group() : quoted.replaceAll("[\\p{ASCII}&&\\P{Alnum}]", "\\\\$0"));
        });
    }
}
