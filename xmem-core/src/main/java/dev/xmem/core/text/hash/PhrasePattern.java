package dev.xmem.core.text.hash;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One phrase of a rule file, as a sequence of elements; see {@code causes.txt} for the notation.
 *
 * @param <T> what the phrase stands for
 */
final class PhrasePattern<T> {
    final Element[] elements;
    final T value;
    final int order;
    private final boolean atStart;
    private final boolean atEnd;

    private PhrasePattern(List<Element> elements, T value, int order, boolean atStart, boolean atEnd) {
        this.elements = elements.toArray(new Element[0]);
        this.value = value;
        this.order = order;
        this.atStart = atStart;
        this.atEnd = atEnd;
    }

    static <T> PhrasePattern<T> of(String text, T value, int order) {
        List<Element> elements = new ArrayList<>();
        boolean start = false;
        boolean end = false;
        boolean gap = false;
        for (String part : text.split(" ", -1)) {
            switch (part) {
                case "^" -> start = true;
                case "$" -> end = true;
                case "*" -> gap = true;
                default -> {
                    if (!WordTables.skipped(part)) {
                        append(elements, Element.of(part, gap));
                        gap = false;
                    }
                }
            }
        }
        return new PhrasePattern<>(elements, value, order, start, end);
    }

    /** The words of which one begins a phrase, without a look at the rest of it; null where it takes one. */
    static String @Nullable [] begin(String text) {
        int from = 0;
        while (true) {
            int blank = text.indexOf(' ', from);
            String part = text.substring(from, blank < 0 ? text.length() : blank);
            if (!part.equals("^") && !WordTables.skipped(part)) {
                return isPlain(part) ? begin(Element.of(part, false)) : null;
            }
            if (blank < 0) {
                return null;
            }
            from = blank + 1;
        }
    }

    private static String @Nullable [] begin(Element first) {
        return first.words.length == 1 && WordTables.beginsPair(first.words[0]) ? null : first.words;
    }

    private static boolean isPlain(String part) {
        return !part.isEmpty()
                && !part.equals("*")
                && !part.equals("$")
                && part.charAt(0) != '<'
                && part.indexOf('~') < 0;
    }

    /** Two words that are one in canonical form, as the scanner has them. */
    private static void append(List<Element> elements, Element next) {
        Element before = elements.isEmpty() ? null : elements.get(elements.size() - 1);
        if (before != null && before.isOneWord() && next.isOneWord()) {
            String joined = WordTables.canonical(before.words[0], next.words[0]);
            if (joined != null) {
                elements.set(elements.size() - 1, Element.of(joined, before.gap));
                return;
            }
        }
        elements.add(next);
    }

    /** The index of the last token of the phrase if it begins at a token, else -1. */
    int matchAt(TokenizedLine tokens, int at) {
        if (atStart && at != 0 || !elements[0].matches(tokens, at)) {
            return -1;
        }
        return elements.length == 1 ? ended(tokens, at) : matchFrom(tokens, at, 1);
    }

    private int matchFrom(TokenizedLine tokens, int after, int element) {
        if (element == elements.length) {
            return ended(tokens, after);
        }
        Element wanted = elements[element];
        int from = after + 1;
        int words = 0;
        int passed = 0;
        for (int i = from;
                i < tokens.size && words <= (wanted.gap ? PhraseMatcher.gap() : 0) && passed < 7;
                i++, passed++) {
            if (wanted.matches(tokens, i)) {
                int last = matchFrom(tokens, i, element + 1);
                if (last >= 0) {
                    return last;
                }
            }
            if (tokens.isWord(i)) {
                if (tokens.word(i).equals("found")) {
                    return -1;
                }
                words++;
            }
        }
        return -1;
    }

    private int ended(TokenizedLine tokens, int last) {
        if (!atEnd) {
            return last;
        }
        for (int i = last + 1; i < tokens.size; i++) {
            if (tokens.isWord(i)) {
                return -1;
            }
        }
        return last;
    }

    /** A word or one of several, the beginning of a word, or a kind of token. */
    static final class Element {
        final String[] words;
        final boolean prefix;
        final boolean gap;
        private final byte kind;

        private Element(String[] words, boolean prefix, boolean gap, byte kind) {
            this.words = words;
            this.prefix = prefix;
            this.gap = gap;
            this.kind = kind;
        }

        static Element of(String part, boolean gap) {
            if (part.startsWith("<")) {
                return new Element(new String[] {""}, false, gap, kind(part));
            }
            String[] words = part.indexOf('/') < 0 && part.indexOf('~') < 0
                    ? new String[] {part}
                    : part.replace("~", "").split("/", -1);
            for (int i = 0; i < words.length; i++) {
                words[i] = WordTables.canonical(words[i]);
            }
            return new Element(words, part.indexOf('~') >= 0, gap, TokenizedLine.WORD);
        }

        private static byte kind(String part) {
            return switch (part) {
                case "<name>" -> TokenizedLine.NAME;
                case "<path>" -> TokenizedLine.PATH;
                case "<host>" -> TokenizedLine.HOST;
                case "<flag>" -> TokenizedLine.FLAG;
                case "<number>" -> TokenizedLine.NUMBER;
                default -> throw new IllegalArgumentException("no such kind of token: " + part);
            };
        }

        boolean isPlain() {
            return kind == TokenizedLine.WORD && !prefix && !gap;
        }

        boolean isOneWord() {
            return isPlain() && words.length == 1;
        }

        boolean matches(TokenizedLine tokens, int at) {
            if (tokens.kind(at) != kind) {
                return kind == TokenizedLine.NAME && tokens.kind(at) == TokenizedLine.PATH;
            }
            if (kind != TokenizedLine.WORD) {
                return true;
            }
            String word = tokens.word(at);
            for (String wanted : words) {
                if (prefix ? word.startsWith(wanted) : word.equals(wanted)) {
                    return true;
                }
            }
            return false;
        }
    }
}
