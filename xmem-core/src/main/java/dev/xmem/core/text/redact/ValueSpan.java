package dev.xmem.core.text.redact;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value that follows a name.
 *
 * @param from where it begins, behind its opening quote
 * @param to where it ends
 * @param style how it hangs on the name
 * @param open its opening quote, with the backslashes before it; empty without one
 * @param quoteToAdd what its placeholder needs around it, so that JSON stays JSON
 */
record ValueSpan(int from, int to, Style style, String open, String quoteToAdd) {
    private static final List<String> ENTITIES = List.of("%22", "%27", "&quot;", "&#34;", "&#39;", "\\u0022");
    private static final int MOST_CLOSERS = 8;
    private static final int MOST_BLANKS = 16;
    private static final int MOST_BETWEEN = 64;
    private static final int MOST_BACKSLASHES = 8;
    private static final int MOST_TRIMMED = 4;
    private static final int LONG_KEY = 32;
    private static final CharSet KEY = CharSet.of("A-Za-z0-9+/=_-");
    private static final CharSet NAME = CharSet.of("A-Za-z0-9_. -");

    /** How a value hangs on its name. */
    enum Style {
        /** {@code name=value}. */
        EQUALS,
        /** A colon, and quotes around name or value. */
        QUOTED,
        /** A colon without quotes: a setting, or a sentence. */
        COLON,
        /** A blank behind an option. */
        OPTION,
        /** {@code <name>value</name>}, {@code name="x" value="y"}. */
        MARKUP,
        /** {@code name is value}, {@code name 'value'}. */
        SAID
    }

    boolean isQuoted() {
        return !open.isEmpty();
    }

    /** The value behind a name; null if there is none. */
    static @Nullable ValueSpan after(PaddedText text, SensitiveName name) {
        int closed = afterClosers(text, name.to());
        String quote = text.from(name.to(), closed).replace("]", "");
        int sign = afterFewBlanks(text, closed);
        char c = text.at(sign);
        if (c == '=' || c == '!' && text.at(sign + 1) == '=') {
            return at(text, afterEquals(text, sign + 1), Style.EQUALS, "");
        } else if (c == ':' && text.at(sign + 1) != ':') {
            boolean path = quote.isEmpty() && text.at(name.from() - 1) == ':';
            return path ? at(text, sign + 1, Style.SAID, "") : afterColon(text, sign, quote);
        } else if (text.hasIgnoringCase(sign, "%3d") || text.hasIgnoringCase(sign, "%3a")) {
            return encoded(text, sign + 3);
        } else if (text.hasIgnoringCase(sign, "\\u003d")) {
            return at(text, sign + 6, Style.EQUALS, "");
        } else if (c == '>' && (text.at(name.from() - 1) == '<' || !quote.isEmpty())) {
            return element(text, sign + 1);
        }
        return apart(text, name, closed, quote);
    }

    private static @Nullable ValueSpan apart(PaddedText text, SensitiveName name, int closed, String quote) {
        int value = namedValue(text, closed);
        if (value > 0) {
            return at(text, value, Style.MARKUP, "");
        }
        int word = afterFewBlanks(text, closed);
        if (name.option()) {
            int next = !quote.isEmpty() && text.at(closed) == ',' ? afterFewBlanks(text, closed + 1) : word;
            return next > closed ? at(text, next, Style.OPTION, "") : null;
        }
        if (word == closed || !quote.isEmpty()) {
            return null;
        }
        int said = afterWord(text, word, "is");
        said = afterWord(text, said, "was");
        boolean means = said > word || quoteAt(text, said) > 0 || isLogin(text, name.from()) || isKeyAt(text, said);
        return means ? at(text, said, Style.SAID, "") : null;
    }

    private static int afterWord(PaddedText text, int at, String word) {
        int end = at + word.length();
        return text.hasIgnoringCase(at, word) && PaddedText.isBlank(text.at(end)) ? afterFewBlanks(text, end) : at;
    }

    /** Whether this is the password of a {@code .netrc}: {@code login x password y}. */
    private static boolean isLogin(PaddedText text, int name) {
        int i = name;
        while (name - i < MOST_BETWEEN && PaddedText.isWhite(text.at(i - 1)) && i > 0) {
            i--;
        }
        while (name - i < MOST_BETWEEN && !PaddedText.isWhite(text.at(i - 1))) {
            i--;
        }
        while (name - i < MOST_BETWEEN && PaddedText.isWhite(text.at(i - 1)) && i > 0) {
            i--;
        }
        return text.hasIgnoringCase(i - 5, "login");
    }

    /** Whether no word of a sentence stands here: it is as long as a key and holds digits. */
    private static boolean isKeyAt(PaddedText text, int from) {
        int to = KEY.endOfRun(text, from, LONG_KEY);
        return to - from == LONG_KEY && FalsePositiveFilter.isMixed(text, from, to);
    }

    /** Quotes and a bracket that close the name. */
    private static int afterClosers(PaddedText text, int from) {
        int i = from;
        while (i - from < MOST_CLOSERS) {
            int quote = quoteAt(text, i);
            if (quote == 0 && text.at(i) != ']') {
                return i;
            }
            i += Math.max(1, quote);
        }
        return i;
    }

    private static int afterFewBlanks(PaddedText text, int from) {
        int i = from;
        while (i - from < MOST_BLANKS && PaddedText.isBlank(text.at(i))) {
            i++;
        }
        return i;
    }

    private static int afterEquals(PaddedText text, int from) {
        int i = from;
        while (i - from < 2 && (text.at(i) == '=' || text.at(i) == '>')) {
            i++;
        }
        return i;
    }

    private static @Nullable ValueSpan afterColon(PaddedText text, int colon, String quote) {
        char next = text.at(colon + 1);
        if (next == '=') {
            return at(text, colon + 2, Style.EQUALS, "");
        }
        return at(text, colon + 1, quote.isEmpty() ? Style.COLON : Style.QUOTED, quote);
    }

    /** Behind {@code name="DB_PASSWORD" value=} or {@code name: DB_PASSWORD}, a line end, {@code value:}; -1 if not there. */
    private static int namedValue(PaddedText text, int from) {
        int i = from;
        while (i - from < MOST_BETWEEN && (text.at(i) == ',' || PaddedText.isWhite(text.at(i)) && text.at(i) != 0)) {
            i++;
        }
        i += Math.max(0, quoteAt(text, i));
        if (i == from || !text.hasIgnoringCase(i, "value")) {
            return -1;
        }
        i = afterFewBlanks(text, afterClosers(text, i + 5));
        return text.at(i) == '=' || text.at(i) == ':' ? i + 1 : -1;
    }

    /** How long the quote is that stands here, backslashes included; 0 if there is none. */
    private static int quoteAt(PaddedText text, int i) {
        int end = i;
        while (end - i < MOST_BACKSLASHES && text.at(end) == '\\') {
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
        int i = afterFewBlanks(text, from);
        boolean prefixed =
                "bBrRuUfF@".indexOf(text.at(i)) >= 0 && text.at(i) != 0 && PaddedText.isQuote(text.at(i + 1));
        boolean listed = text.at(i) == '[' && quoteAt(text, i + 1) > 0;
        i += prefixed || listed ? 1 : 0;
        int quote = quoteAt(text, i);
        if (quote == 0) {
            return whole(i, trimmed(text, i, endOfBare(text, i, false)), style, "", nameQuote);
        }
        if (quote == 1 && text.at(i + 1) == text.at(i) && text.at(i + 2) == text.at(i)) {
            i += 2;
        }
        String open = text.from(i, i + quote);
        Style quoted = style == Style.COLON ? Style.QUOTED : style;
        return whole(i + quote, endOfQuoted(text, i + quote, open), quoted, open, "");
    }

    private static @Nullable ValueSpan whole(int from, int to, Style style, String open, String quoteToAdd) {
        return from < to ? new ValueSpan(from, to, style, open, quoteToAdd) : null;
    }

    private static @Nullable ValueSpan encoded(PaddedText text, int from) {
        int quote = quoteAt(text, from);
        int start = from + quote;
        return whole(start, endOfBare(text, start, true), Style.EQUALS, "", "");
    }

    private static @Nullable ValueSpan element(PaddedText text, int from) {
        int i = from;
        boolean white = false;
        while (text.at(i) != '<' && text.at(i) != '\n' && text.at(i) != 0) {
            white |= PaddedText.isWhite(text.at(i++));
        }
        boolean closed = text.has(i, "</") || text.at(i) != '<' && !white;
        return closed ? whole(from, i, Style.MARKUP, "<", "") : null;
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

    /** Whether a quote with so many backslashes before it closes one with so many: its own, or one around it. */
    private static boolean closes(int backslashes, int opening) {
        return opening == 0 ? backslashes % 2 == 0 : backslashes <= opening;
    }

    /** Where a value without quotes ends: white space, and signs that something else follows. */
    private static int endOfBare(PaddedText text, int from, boolean encoded) {
        int i = from;
        while (!PaddedText.isWhite(text.at(i)) && !ends(text, i) && !(encoded && endsEncoded(text, i))) {
            i++;
        }
        return i;
    }

    private static boolean ends(PaddedText text, int i) {
        char c = text.at(i);
        char next = text.at(i + 1);
        return switch (c) {
            case '"', '\'', '`' -> !PaddedText.isAlphanumeric(next);
            case '\\' -> next == 'n' || next == 'r' || next == 't' || PaddedText.isQuote(next);
            case '&' ->
                next == '&'
                        || text.has(i, "&amp;")
                        || text.has(i, "&quot;")
                        || text.has(i, "&#")
                        || isNameAt(text, i + 1);
            case ';', ',' -> PaddedText.isWhite(next) || PaddedText.isQuote(next) || isNameAt(text, i + 1);
            case '|' -> PaddedText.isWhite(next) || next == '|';
            case '<' -> next == '/';
            default -> false;
        };
    }

    private static boolean endsEncoded(PaddedText text, int i) {
        return text.at(i) == '&'
                || text.has(i, "%26")
                || text.has(i, "%20")
                || text.hasIgnoringCase(i, "%0a")
                || text.has(i, "%22")
                || text.has(i, "%27")
                || text.hasIgnoringCase(i, "%3b");
    }

    /** Whether {@code name=} or {@code name:} stands here. */
    private static boolean isNameAt(PaddedText text, int from) {
        int end = NAME.endOfRun(text, from, MOST_BETWEEN);
        return end > from && (text.at(end) == '=' || text.at(end) == ':');
    }

    /** Without the points, commas and brackets of the text around it. */
    private static int trimmed(PaddedText text, int from, int to) {
        int end = to;
        while (end > from + 1 && to - end < MOST_TRIMMED && isAround(text, from, end - 1)) {
            end--;
        }
        return end;
    }

    private static boolean isAround(PaddedText text, int from, int at) {
        char c = text.at(at);
        return switch (c) {
            case '.', ',', ';', ':' -> true;
            case '>' -> !holds(text, '<', from, at);
            case ')' -> !holds(text, '(', from, at);
            case ']' -> !holds(text, '[', from, at);
            case '}' -> !holds(text, '{', from, at);
            default -> false;
        };
    }

    private static boolean holds(PaddedText text, char c, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.at(i) == c) {
                return true;
            }
        }
        return false;
    }
}
