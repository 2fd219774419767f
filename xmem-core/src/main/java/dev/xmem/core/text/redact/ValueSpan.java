package dev.xmem.core.text.redact;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The range of the value that follows a name.
 *
 * @param from its start, after its opening quote
 * @param to its end
 * @param style how it is attached to the name
 * @param open its opening quote, with the backslashes before it; empty without one
 * @param quoteToAdd the quote that its placeholder needs, so that JSON stays valid
 */
record ValueSpan(int from, int to, Style style, String open, String quoteToAdd) {
    private static final List<String> ENTITIES = List.of("%22", "%27", "&quot;", "&#34;", "&#39;", "\\u0022");
    private static final List<String> ENCODED_ENDS = List.of("&", "%26", "%20", "%0a", "%22", "%27", "%3b");
    private static final int MAX_CLOSERS = 8;
    private static final int MAX_BLANKS = 16;
    private static final int MAX_BETWEEN = 64;
    private static final int MAX_BACKSLASHES = 8;
    private static final int MAX_TRIMMED = 4;
    private static final int LONG_KEY = 32;
    private static final CharSet KEY = CharSet.of("A-Za-z0-9+/=_-");
    private static final CharSet ASSIGN = CharSet.of("=>");
    private static final CharSet BEFORE_ASSIGN = CharSet.of(":?!.+");
    private static final CharSet NAME = CharSet.of("A-Za-z0-9_. -");

    /** How a value is attached to its name. */
    enum Style {
        /** {@code name=value}. */
        EQUALS,
        /** A colon, with a quoted name or value. */
        QUOTED,
        /** A colon without quotes: configuration, or prose. */
        COLON,
        /** A blank after an option. */
        OPTION,
        /** {@code <name>value</name>}, {@code name="x" value="y"}. */
        MARKUP,
        /** {@code name is value}, {@code name 'value'}. */
        SAID
    }

    boolean isQuoted() {
        return !open.isEmpty();
    }

    /** The value that follows a name; null if there is none. */
    static @Nullable ValueSpan after(PaddedText text, SensitiveName name) {
        int closed = afterClosers(text, name.to());
        String quote = text.from(name.to(), closed).replace("]", "");
        int sign = text.afterBlanks(closed, MAX_BLANKS);
        char c = text.at(sign);
        int assign = afterAssignment(text, name, sign);
        if (assign > 0) {
            return at(text, ASSIGN.endOfRun(text, assign, 2), Style.EQUALS, "");
        } else if (c == ',' && !quote.isEmpty() && quoteAt(text, text.afterBlanks(sign + 1, MAX_BLANKS)) > 0) {
            ValueSpan argument = at(text, sign + 1, Style.QUOTED, "");
            boolean secret = argument != null && FalsePositiveFilter.looksSecret(text, argument.from(), argument.to());
            return secret ? argument : separated(text, name, closed, quote);
        } else if (c == ':' && text.at(sign + 1) != ':') {
            boolean path = quote.isEmpty() && text.at(name.from() - 1) == ':';
            return at(text, sign + 1, path ? Style.SAID : quote.isEmpty() ? Style.COLON : Style.QUOTED, quote);
        } else if (text.hasIgnoringCase(sign, "%3d") || text.hasIgnoringCase(sign, "%3a")) {
            int value = sign + 3 + quoteAt(text, sign + 3);
            return span(value, endOfBare(text, value, true), Style.EQUALS, "", "");
        } else if (text.hasIgnoringCase(sign, "\\u003d")) {
            return at(text, sign + 6, Style.EQUALS, "");
        } else if (c == '>' && (text.at(name.from() - 1) == '<' || !quote.isEmpty())) {
            return element(text, sign + 1);
        }
        return separated(text, name, closed, quote);
    }

    /** The index after {@code =}, {@code :=}, {@code ?=}, {@code !=} or a type and {@code =}; -1 without one. */
    private static int afterAssignment(PaddedText text, SensitiveName name, int sign) {
        boolean typed = text.has(sign, "string ") && sign > name.to();
        int from = typed ? text.afterBlanks(sign + 6, MAX_BLANKS) : sign;
        int to = BEFORE_ASSIGN.endOfRun(text, from, 3);
        boolean path = to > from && text.at(from) == ':' && text.at(name.from() - 1) == ':';
        return text.at(to) == '=' && !path ? to + 1 : -1;
    }

    /** A value that only white space or words separate from its name. */
    private static @Nullable ValueSpan separated(PaddedText text, SensitiveName name, int closed, String quote) {
        int value = namedValue(text, closed);
        if (value > 0) {
            return at(text, value, Style.MARKUP, "");
        }
        int word = text.afterBlanks(closed, MAX_BLANKS);
        if (name.option()) {
            boolean listed = !quote.isEmpty() && text.at(closed) == ',';
            int next = listed ? text.afterBlanks(closed + 1, MAX_BLANKS) : word;
            boolean column = !listed && next > closed + 1;
            return next > closed ? at(text, next, column ? Style.SAID : Style.OPTION, "") : null;
        }
        if (word == closed || !quote.isEmpty()) {
            return null;
        }
        int said = afterWord(text, afterWord(text, word, "is"), "was");
        boolean means = said > word || quoteAt(text, said) > 0 || isLogin(text, name.from()) || isKeyAt(text, said);
        return means ? at(text, said, Style.SAID, "") : null;
    }

    private static int afterWord(PaddedText text, int at, String word) {
        int end = at + word.length();
        return text.hasIgnoringCase(at, word) && PaddedText.isBlank(text.at(end))
                ? text.afterBlanks(end, MAX_BLANKS)
                : at;
    }

    /** Whether this is the password of a {@code .netrc}: {@code login x password y}. */
    private static boolean isLogin(PaddedText text, int name) {
        int user = startOfRun(text, startOfRun(text, name, name, true), name, false);
        return text.hasIgnoringCase(startOfRun(text, user, name, true) - 5, "login");
    }

    /** The start of the run of white space, or of other characters, that ends at an index near a name. */
    private static int startOfRun(PaddedText text, int to, int name, boolean white) {
        int i = to;
        while (name - i < MAX_BETWEEN && i > 0 && PaddedText.isWhite(text.at(i - 1)) == white) {
            i--;
        }
        return i;
    }

    /** Whether a value as long as a key, with digits, starts here: no word of a sentence. */
    private static boolean isKeyAt(PaddedText text, int from) {
        int to = KEY.endOfRun(text, from, LONG_KEY);
        return to - from == LONG_KEY && FalsePositiveFilter.isMixed(text, from, to);
    }

    /** The end of the quotes and brackets that close a name. */
    private static int afterClosers(PaddedText text, int from) {
        int i = from;
        while (i - from < MAX_CLOSERS) {
            int quote = quoteAt(text, i);
            if (quote == 0 && text.at(i) != ']') {
                return i;
            }
            i += Math.max(1, quote);
        }
        return i;
    }

    /** The index after {@code value=} or {@code value:} where such a pair follows; -1 if there is none. */
    private static int namedValue(PaddedText text, int from) {
        int i = from;
        while (i - from < MAX_BETWEEN && (text.at(i) == ',' || PaddedText.isWhite(text.at(i)) && text.at(i) != 0)) {
            i++;
        }
        i += quoteAt(text, i);
        if (i == from || !text.hasIgnoringCase(i, "value")) {
            return -1;
        }
        i = text.afterBlanks(afterClosers(text, i + 5), MAX_BLANKS);
        return text.at(i) == '=' || text.at(i) == ':' ? i + 1 : -1;
    }

    /** The length of the quote that starts here, its backslashes included; 0 if there is none. */
    private static int quoteAt(PaddedText text, int i) {
        int end = i;
        while (end - i < MAX_BACKSLASHES && text.at(end) == '\\') {
            end++;
        }
        if (PaddedText.isQuote(text.at(end))) {
            return end + 1 - i;
        }
        for (String entity : ENTITIES) {
            if (text.hasIgnoringCase(i, entity)) {
                return entity.length();
            }
        }
        return 0;
    }

    private static @Nullable ValueSpan at(PaddedText text, int from, Style style, String nameQuote) {
        int i = text.afterBlanks(from, MAX_BLANKS);
        boolean prefixed =
                "bBrRuUfF@".indexOf(text.at(i)) >= 0 && text.at(i) != 0 && PaddedText.isQuote(text.at(i + 1));
        boolean listed = text.at(i) == '[' && quoteAt(text, i + 1) > 0;
        i += prefixed || listed ? 1 : 0;
        int quote = quoteAt(text, i);
        if (quote == 0) {
            return span(i, trimmed(text, i, endOfBare(text, i, false)), style, "", nameQuote);
        }
        if (quote == 1 && text.at(i + 1) == text.at(i) && text.at(i + 2) == text.at(i)) {
            i += 2;
        }
        String open = text.from(i, i + quote);
        Style quoted = style == Style.COLON ? Style.QUOTED : style;
        return span(i + quote, endOfQuoted(text, i + quote, open), quoted, open, "");
    }

    private static @Nullable ValueSpan span(int from, int to, Style style, String open, String quoteToAdd) {
        return from < to ? new ValueSpan(from, to, style, open, quoteToAdd) : null;
    }

    private static @Nullable ValueSpan element(PaddedText text, int from) {
        int i = from;
        boolean white = false;
        while (text.at(i) != '<' && text.at(i) != '\n' && text.at(i) != 0) {
            white |= PaddedText.isWhite(text.at(i++));
        }
        boolean closed = text.has(i, "</") || text.at(i) != '<' && !white;
        return closed ? span(from, i, Style.MARKUP, "<", "") : null;
    }

    private static int endOfQuoted(PaddedText text, int from, String open) {
        char quote = open.charAt(open.length() - 1);
        boolean entity = !PaddedText.isQuote(quote);
        int backslashes = 0;
        int i = from;
        while (i < text.length() && text.at(i) != '\n') {
            char c = text.at(i);
            if (entity && text.hasIgnoringCase(i, open)
                    || c == quote && !entity && closes(backslashes, open.length() - 1)) {
                return i - (entity ? 0 : Math.min(backslashes, open.length() - 1));
            }
            backslashes = c == '\\' ? backslashes + 1 : 0;
            i++;
        }
        return i;
    }

    /** Whether a quote after some backslashes closes one that was opened after others, or an enclosing one. */
    private static boolean closes(int backslashes, int opening) {
        return opening == 0 ? backslashes % 2 == 0 : backslashes <= opening;
    }

    /** The end of an unquoted value: white space, or a sign before something else. */
    private static int endOfBare(PaddedText text, int from, boolean encoded) {
        int i = from;
        while (!PaddedText.isWhite(text.at(i)) && !ends(text, i) && !(encoded && endsEncoded(text, i))) {
            i++;
        }
        return i;
    }

    private static boolean ends(PaddedText text, int i) {
        char next = text.at(i + 1);
        return switch (text.at(i)) {
            case '"', '\'', '`' -> !PaddedText.isAlphanumeric(next);
            case '\\' -> next == 'n' || next == 'r' || next == 't' || PaddedText.isQuote(next);
            case '&' ->
                next == '&' || next == '#' || text.has(i, "&amp;") || text.has(i, "&quot;") || isNameAt(text, i + 1);
            case ';', ',' -> PaddedText.isWhite(next) || PaddedText.isQuote(next) || isNameAt(text, i + 1);
            case '|' -> PaddedText.isWhite(next) || next == '|';
            case '<' -> next == '/';
            default -> false;
        };
    }

    private static boolean endsEncoded(PaddedText text, int i) {
        for (String end : ENCODED_ENDS) {
            if (text.hasIgnoringCase(i, end)) {
                return true;
            }
        }
        return false;
    }

    /** Whether {@code name=} or {@code name:} starts here. */
    private static boolean isNameAt(PaddedText text, int from) {
        int end = NAME.endOfRun(text, from, MAX_BETWEEN);
        return end > from && (text.at(end) == '=' || text.at(end) == ':');
    }

    /** The end without the punctuation and brackets of the surrounding text. */
    private static int trimmed(PaddedText text, int from, int to) {
        int end = to;
        while (end > from + 1 && to - end < MAX_TRIMMED && isAround(text, from, end - 1)) {
            end--;
        }
        return end;
    }

    /** Whether a character is punctuation, or a closing bracket without its opening one. */
    private static boolean isAround(PaddedText text, int from, int at) {
        int bracket = ">)]}".indexOf(text.at(at));
        return bracket < 0
                ? ".,;:".indexOf(text.at(at)) >= 0
                : text.from(from, at).indexOf("<([{".charAt(bracket)) < 0;
    }
}
