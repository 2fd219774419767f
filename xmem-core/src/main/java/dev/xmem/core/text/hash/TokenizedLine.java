package dev.xmem.core.text.hash;

import java.util.Arrays;
import java.util.Locale;

/**
 * A tokenizer for a line of an error, and the tokens that it produced in one pass. It masks what varies between
 * machines: a URL, a path, a host, a quoted name, an identifier or a number becomes a token of its kind. Only words of
 * the language keep their text.
 *
 * <p>Words are lower-case and canonical: {@code could not} is one token {@code cannot}, {@code doesn't} is {@code not}.
 * Words inside quotes that hold several words are kept and marked, since they may be a name or a message.
 */
final class TokenizedLine {
    static final byte WORD = 0;
    static final byte NAME = 1;
    static final byte PATH = 2;
    static final byte HOST = 3;
    static final byte FLAG = 4;
    static final byte NUMBER = 5;
    static final byte SIGN = 6;

    private static final int MAX_CHARS = 1_000;
    private static final int MAX_TOKENS = 200;
    private static final int MAX_QUOTED_CHARS = 200;

    final String line;
    int size;
    private final int length;
    private final int limit;
    private String[] words;
    /** Where each token begins and ends, its kind, and whether it is quoted, as {@link #add} writes them. */
    private int[] places;

    private int quoteEnd = -1;
    private long bits;

    private TokenizedLine(String line) {
        this.line = line.length() > MAX_CHARS ? line.substring(0, MAX_CHARS) : line;
        this.length = this.line.length();
        this.limit = Math.min(MAX_TOKENS, length);
        int capacity = Math.min(limit, 4 + length / 5);
        this.words = new String[capacity];
        this.places = new int[capacity];
    }

    static TokenizedLine of(String line) {
        TokenizedLine tokens = new TokenizedLine(line);
        tokens.scan();
        return tokens;
    }

    /** The canonical word at an index; empty for a token of another kind. */
    String word(int i) {
        return words[i];
    }

    /** Whether the words of the line have all these bits; a line without the bit of a word does not have the word. */
    boolean hasAll(long required) {
        if (bits == 0) {
            for (int i = 0; i < size; i++) {
                bits |= bit(words[i]);
            }
        }
        return (bits & required) == required;
    }

    /** One of 64 bits for a word. */
    static long bit(String word) {
        int hash = word.hashCode();
        return 1L << (hash ^ hash >>> 6 ^ hash >>> 12);
    }

    byte kind(int i) {
        return (byte) (places[i] >> 22 & 7);
    }

    boolean isWord(int i) {
        return kind(i) == WORD;
    }

    /** Whether the token is inside quotes with other words. */
    boolean isQuoted(int i) {
        return places[i] < 0;
    }

    /** Whether the token is no part of a compound such as {@code project:name}, and not alone in brackets. */
    boolean isApart(int i) {
        char before = start(i) == 0 ? ' ' : line.charAt(start(i) - 1);
        char after = end(i) >= length ? ' ' : line.charAt(end(i));
        boolean open = after == ':' && end(i) + 1 < length && line.charAt(end(i) + 1) != ' ';
        return before != ':' && !(before == '[' && after == ']') && !open;
    }

    /**
     * Whether the token is a part of a name in quotes with other words, such as {@code const Quota&}, or the name of a
     * field in front of its value, such as {@code format=raw}.
     */
    boolean isOfName(int i) {
        if (line.startsWith("=", end(i)) && end(i) + 1 < length && line.charAt(end(i) + 1) > ' ') {
            return true;
        }
        if (!isQuoted(i) || !Character.isUpperCase(line.charAt(start(i)))) {
            return false;
        }
        char after = end(i) >= length ? ' ' : line.charAt(end(i));
        boolean last = "’'`\"".indexOf(after) >= 0 && i > 0 && isQuoted(i - 1);
        return ":(&<*".indexOf(after) >= 0 || last && Character.isLowerCase(line.charAt(start(i - 1)));
    }

    int start(int i) {
        return places[i] & 0x7ff;
    }

    int end(int i) {
        return places[i] >> 11 & 0x7ff;
    }

    /** The token as it is in the line. */
    String text(int i) {
        return line.substring(start(i), end(i));
    }

    /** The first token of the second sentence, or the number of tokens. */
    int firstSentence() {
        int i = 3;
        while (i < size && !beginsSentence(i)) {
            i++;
        }
        return Math.min(i, size);
    }

    /** Whether a sentence ends in front of a token that is not the first. */
    boolean beginsSentence(int i) {
        for (int at = end(i - 1); at + 1 < start(i); at++) {
            if (line.charAt(at) == '.' && line.charAt(at + 1) == ' ') {
                return true;
            }
        }
        return false;
    }

    private void scan() {
        int i = 0;
        while (i < length && size < limit) {
            char c = line.charAt(i);
            if (i == quoteEnd) {
                i++;
            } else if (CharClasses.opensQuote(c)) {
                i = quote(i, c);
            } else if (CharClasses.inChunk(c)) {
                i = chunk(i);
            } else {
                i = sign(i, c);
            }
        }
    }

    /** A quoted name as one token; a quoted phrase is scanned word by word. */
    private int quote(int at, char open) {
        boolean apostrophe = open == '\'' && at > 0 && Character.isLetterOrDigit(line.charAt(at - 1));
        int limit = apostrophe ? 0 : Math.min(length, at + MAX_QUOTED_CHARS + 1);
        boolean blank = false;
        for (int i = at + 1; i < limit; i++) {
            char c = line.charAt(i);
            if (CharClasses.closesQuote(open, c) && !CharClasses.apostropheAt(line, i)) {
                return closed(at + 1, i, blank);
            }
            blank |= c == ' ' || c == '\t';
        }
        return at + 1;
    }

    private int closed(int from, int to, boolean blank) {
        if (blank) {
            quoteEnd = Math.max(quoteEnd, to);
            return from;
        }
        if (to > from) {
            String text = line.substring(from, to);
            String lower = text.length() <= 9 ? text.toLowerCase(Locale.ROOT) : "";
            if (WordTables.QUOTED.contains(lower)) {
                add(WORD, lower, from, to);
            } else {
                addName(nameKind(text), from, to);
            }
        }
        return to + 1;
    }

    /** Adds a name; a lock file is the word {@code lockfile}. */
    private void addName(byte kind, int from, int to) {
        boolean lock = line.startsWith(".lock", to - 5)
                || line.startsWith("/lock", to - 5)
                || line.startsWith("/lock-frontend", to - 14);
        add(lock ? WORD : kind, lock ? "lockfile" : "", from, to);
    }

    private static byte nameKind(String text) {
        if (text.length() > 1 && text.charAt(0) == '-') {
            return FLAG;
        }
        if (text.indexOf('/') >= 0 && !text.contains("://")) {
            return PATH;
        }
        return CharClasses.isHost(text, 0, text.length()) ? HOST : NAME;
    }

    private int sign(int at, char c) {
        boolean equals = at + 1 < length && line.charAt(at + 1) == '=';
        if (c == '<' || c == '>') {
            boolean alone = equals
                    || at + 1 < length && (line.charAt(at + 1) == ' ' || CharClasses.isDigit(line.charAt(at + 1)));
            if (alone && at > 0 && "-=".indexOf(line.charAt(at - 1)) < 0) {
                add(SIGN, (c == '<' ? "l" : "g") + (equals ? "e" : "t"), at, at + 1);
            }
        } else if ((c == '=' || c == '!') && equals && !line.startsWith(">", at + 2)) {
            add(SIGN, c == '=' ? "eq" : "ne", at, at + 2);
        }
        return at + (equals ? 2 : 1);
    }

    private int chunk(int at) {
        int end = at;
        while (end < length && (CharClasses.inChunk(line.charAt(end)) || continues(at, end))) {
            end++;
        }
        int trimmed = end;
        while (trimmed > at && CharClasses.endsSentence(line.charAt(trimmed - 1))) {
            trimmed--;
        }
        if (trimmed > at && isBraced(at, end)) {
            addName(nameKind(line.substring(at, end)), at, end);
        } else if (trimmed > at) {
            classify(at, trimmed);
        }
        return end;
    }

    /** Whether the word is alone in braces: it is a name, as in quotes. */
    private boolean isBraced(int from, int to) {
        return from > 0 && to < length && line.charAt(from - 1) == '{' && line.charAt(to) == '}';
    }

    /** Whether a character that is in no chunk by itself continues one. */
    private boolean continues(int start, int at) {
        char c = line.charAt(at);
        if (c == ':') {
            boolean url = line.startsWith("://", at);
            boolean drive =
                    at == start + 1 && at + 1 < length && (line.charAt(at + 1) == '\\' || line.charAt(at + 1) == '/');
            boolean inUrl = line.startsWith("//", start) || containsUrl(start, at);
            return url || drive || inUrl && at + 1 < length && CharClasses.inChunk(line.charAt(at + 1));
        }
        if (c == '\'') {
            return CharClasses.apostropheAt(line, at);
        }
        return c == '=' && containsUrl(start, at);
    }

    private boolean containsUrl(int start, int at) {
        int found = line.indexOf("://", start);
        return found >= 0 && found < at;
    }

    /** Adds the tokens of a run of characters without blanks. */
    private void classify(int from, int to) {
        int letters = 0;
        boolean digits = false;
        boolean lower = false;
        boolean camel = false;
        boolean path = false;
        boolean underscores = false;
        boolean apostrophe = false;
        boolean lowerBefore = false;
        long marks = 0;
        for (int i = from; i < to; i++) {
            char c = line.charAt(i);
            marks |= c < 64 ? 1L << c : 0;
            path |= c == '/' || c == '\\';
            underscores |= c == '_';
            apostrophe |= c == '\'' || c == '’';
            camel |= lowerBefore && c >= 'A' && c <= 'Z';
            lowerBefore = c >= 'a' && c <= 'z' || c > 127 && Character.isLowerCase(c);
            lower |= lowerBefore;
            letters += CharClasses.isLetter(c) || c > 127 && Character.isLetter(c) ? 1 : 0;
            digits |= CharClasses.isDigit(c);
        }
        char first = line.charAt(from);
        boolean url = (marks & 1L << ':') != 0 && containsUrl(from, to);
        if (first == '-' && to - from > 1 && letters > 0) {
            add(FLAG, "", from, to);
        } else if (url || first == '$' || first == '@' || first == '%') {
            add(url ? HOST : NAME, "", from, to);
        } else if (letters == to - from) {
            if (camel && !CharClasses.isExceptionName(line, from, to)) {
                add(NAME, "", from, to);
            } else {
                addWord(lower(from, to), from, to);
            }
        } else if (letters > 0 && path) {
            slashes(from, to, first);
        } else if (letters > 0 && (marks & 1L << '.') != 0) {
            dotted(from, to);
        } else if (letters > 0 && !underscores && (marks & 1L << '-') != 0) {
            if (allKnown(from, to, '-')) {
                addParts(from, to, '-');
            } else {
                add(NAME, "", from, to);
            }
        } else if (letters > 0 && underscores && !lower) {
            addParts(from, to, '_');
        } else if (letters > 0 && CharClasses.isDigit(first)) {
            add(NUMBER, "", from, to);
        } else if (letters > 0 && apostrophe) {
            addWord(lower(from, to).replace('’', '\''), from, to);
        } else if (letters > 0) {
            add(NAME, "", from, to);
        } else if (digits) {
            add(path && !CharClasses.isDigit(first) ? PATH : NUMBER, "", from, to);
        } else if (first == '~' || path) {
            add(PATH, "", from, to);
        }
    }

    private void slashes(int from, int to, char first) {
        boolean words = first != '/' && first != '.' && first != '~' && to - from <= 40;
        if (words && lower(from, to).equals("i/o")) {
            addWord("io", from, to);
        } else if (words && allKnown(from, to, '/')) {
            addParts(from, to, '/');
        } else {
            addName(PATH, from, to);
        }
    }

    private void dotted(int from, int to) {
        int last = line.lastIndexOf('.', to - 1) + 1;
        if (CharClasses.isExceptionName(line, last, to)) {
            addWord(lower(last, to), from, to);
        } else {
            addName(CharClasses.isHost(line, from, to) ? HOST : NAME, from, to);
        }
    }

    private boolean allKnown(int from, int to, char separator) {
        int start = from;
        while (start < to) {
            int end = line.indexOf(separator, start);
            end = end < 0 || end > to ? to : end;
            if (end == start
                    || !WordTables.known(lower(start, end)) && !WordTables.SKIPPED.contains(lower(start, end))) {
                return false;
            }
            start = end + 1;
        }
        return line.charAt(to - 1) != separator;
    }

    private void addParts(int from, int to, char separator) {
        int start = from;
        while (start < to) {
            int end = line.indexOf(separator, start);
            end = end < 0 || end > to ? to : end;
            if (end > start) {
                addWord(lower(start, end), start, end);
            }
            start = end + 1;
        }
    }

    private String lower(int from, int to) {
        return line.substring(from, to).toLowerCase(Locale.ROOT);
    }

    private void addWord(String word, int from, int to) {
        String canonical = WordTables.form(word);
        if (canonical == null) {
            return;
        }
        String before = size > 0 && isWord(size - 1) ? words[size - 1] : "";
        String joined = word.equals("not") && before.equals("not") ? "not" : WordTables.canonical(before, canonical);
        if (joined == null) {
            add(WORD, canonical, from, to);
        } else {
            words[size - 1] = joined;
            places[size - 1] = places[size - 1] & ~(0x7ff << 11) | to << 11;
        }
    }

    private void add(byte kind, String word, int from, int to) {
        if (size == limit) {
            return;
        }
        if (size == words.length) {
            int capacity = Math.min(limit, 2 * size);
            words = Arrays.copyOf(words, capacity);
            places = Arrays.copyOf(places, capacity);
        }
        words[size] = word;
        places[size++] = from | to << 11 | kind << 22 | (from < quoteEnd ? Integer.MIN_VALUE : 0);
    }
}
