package dev.xmem.core.text.hash;

import org.jspecify.annotations.Nullable;

/**
 * A pull parser for JSON that was printed into a text: also the notation of Python and JavaScript, with single quotes,
 * tuples, {@code None} or bare keys, and JSON that was cut off. Reads each character once and never fails: what it
 * cannot read ends the document.
 */
final class LenientJson {
    /** What the parser read last. */
    enum Token {
        OPEN,
        CLOSE,
        KEY,
        STRING,
        WORD,
        END
    }

    private static final int MAX_DEPTH = 64;

    private final String text;
    private final boolean[] objects = new boolean[MAX_DEPTH];
    private int at;
    private int depth;
    private boolean expectsKey;
    private int start;
    private int end;
    private @Nullable String value;

    LenientJson(String text, int from) {
        this.text = text;
        this.at = from;
    }

    /** The key, the decoded string, or the word or number that was read last. */
    String value() {
        String made = value;
        if (made == null) {
            made = text.substring(start, end);
            value = made;
        }
        return made;
    }

    /** The number of objects and arrays that are open. */
    int depth() {
        return depth;
    }

    /** The position after the last token. */
    int position() {
        return at;
    }

    /** Reads the next token; {@code END} after the document, at the end of the text, or where it is no JSON. */
    Token next() {
        while (at < text.length() && depth >= 0) {
            char c = text.charAt(at);
            if (c == '{' || c == '[' || c == '(') {
                at++;
                return open(c == '{');
            } else if (c == '}' || c == ']' || c == ')') {
                at++;
                depth--;
                expectsKey = false;
                return depth < 0 ? Token.END : Token.CLOSE;
            } else if (c == '"' || c == '\'') {
                string(c);
                return read(Token.STRING);
            } else if (isWord(c)) {
                start = at;
                while (at < text.length() && isWord(text.charAt(at))) {
                    at++;
                }
                end = at;
                value = null;
                return read(Token.WORD);
            } else if (c != ',' && c != ':' && c > ' ') {
                return Token.END;
            }
            expectsKey |= c == ',' && depth > 0 && objects[depth - 1];
            at++;
        }
        return Token.END;
    }

    /** Skips the object or array that was opened last. */
    void skip() {
        int outer = depth - 1;
        Token token = Token.OPEN;
        while (depth > outer && token != Token.END) {
            token = next();
        }
    }

    private Token open(boolean object) {
        if (depth == MAX_DEPTH) {
            return Token.END;
        }
        objects[depth++] = object;
        expectsKey = object;
        return Token.OPEN;
    }

    private Token read(Token token) {
        boolean key = expectsKey;
        expectsKey = false;
        return key ? Token.KEY : token;
    }

    private static boolean isWord(char c) {
        return CharClasses.isLetter(c)
                || CharClasses.isDigit(c)
                || c == '-'
                || c == '+'
                || c == '.'
                || c == '_'
                || c == '$'
                || c == '@';
    }

    private void string(char quote) {
        start = ++at;
        while (at < text.length() && text.charAt(at) != quote && text.charAt(at) != '\\') {
            at++;
        }
        end = at;
        value = null;
        if (at < text.length() && text.charAt(at) == '\\') {
            escaped(quote);
        }
        at = Math.min(at + 1, text.length());
    }

    private void escaped(char quote) {
        StringBuilder out = new StringBuilder(text.substring(start, at));
        while (at < text.length() && text.charAt(at) != quote) {
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length()) {
                escape(text.charAt(at++), out);
            } else {
                out.append(c);
            }
        }
        value = out.toString();
    }

    private void escape(char c, StringBuilder out) {
        switch (c) {
            case 'n' -> out.append('\n');
            case 't' -> out.append('\t');
            case 'r', 'b', 'f' -> out.append(' ');
            case 'u' -> unicode(out);
            default -> out.append(c);
        }
    }

    private void unicode(StringBuilder out) {
        int code = 0;
        int end = Math.min(at + 4, text.length());
        while (at < end && Character.digit(text.charAt(at), 16) >= 0) {
            code = code * 16 + Character.digit(text.charAt(at++), 16);
        }
        out.append((char) code);
    }
}
