package dev.xmem.core.text.hash;

import java.util.Locale;
import java.util.Set;

/** Predicates on characters and on short runs of characters. */
final class CharClasses {
    /** By the code of ASCII, whether the character belongs to a chunk. */
    private static final boolean[] CHUNK = new boolean[128];

    private static final Set<String> EXCEPTIONS = WordTables.list("exception-suffixes");
    private static final Set<String> DOMAINS = WordTables.list("domains");

    static {
        for (char c = 0; c < CHUNK.length; c++) {
            CHUNK[c] = isLetter(c) || isDigit(c) || "_./\\-@+~%$#&*?!^".indexOf(c) >= 0;
        }
    }

    private CharClasses() {}

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Whether the character is an ASCII letter. */
    static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    /** Whether the character belongs to a word, a name, a path or a number. */
    static boolean inChunk(char c) {
        return c < 128 ? CHUNK[c] : c == '’' || Character.isLetterOrDigit(c);
    }

    /**
     * The text in lower case, character by character: it has the same length, and takes time in proportion to it. The
     * JDK looks at the whole text for each capital letter whose lower case depends on its neighbors.
     */
    static String lowerCase(String text) {
        boolean plain = text.indexOf('\u0130') < 0 && text.indexOf('\u03a3') < 0;
        return (plain ? text : text.replace('\u0130', 'i').replace('\u03a3', '\u03c3')).toLowerCase(Locale.ROOT);
    }

    static boolean endsSentence(char c) {
        return c == '.' || c == '!' || c == '?' || c == ':' || c == '’' || c == '*';
    }

    static boolean opensQuote(char c) {
        return c == '\'' || c == '"' || c == '`' || c == '‘' || c == '“' || c == '«';
    }

    static boolean closesQuote(char open, char c) {
        return switch (open) {
            case '\'', '"' -> c == open;
            case '`' -> c == '`' || c == '\'';
            case '‘' -> c == '’';
            case '“' -> c == '”';
            default -> c == '»';
        };
    }

    /** Whether the mark is inside a word, as in {@code can't}. */
    static boolean apostropheAt(String line, int at) {
        char c = line.charAt(at);
        return (c == '\'' || c == '’')
                && at > 0
                && at + 1 < line.length()
                && Character.isLetter(line.charAt(at - 1))
                && Character.isLetter(line.charAt(at + 1));
    }

    /** Whether the text is {@code localhost} or a host name with a known top-level domain; {@code main.rs} is not. */
    static boolean isHost(String text, int from, int to) {
        int dot = text.lastIndexOf('.', to - 1);
        if (dot <= from || to - dot > 12) {
            return text.regionMatches(from, "localhost", 0, 9) && to - from == 9;
        }
        return DOMAINS.contains(text.substring(dot + 1, to));
    }

    /** Whether the text ends like the name of an exception class. */
    static boolean isExceptionName(String text, int from, int to) {
        int start = to;
        while (start > from && text.charAt(start - 1) >= 'a' && text.charAt(start - 1) <= 'z') {
            start--;
        }
        if (start <= from || to - start < 3) {
            return false;
        }
        String last = text.substring(start - 1, to);
        return EXCEPTIONS.contains(last)
                || last.equals("Found") && text.startsWith("NotFound", to - 8) && to - 8 >= from;
    }
}
