package dev.xmem.core.text.hash;

import dev.xmem.core.text.hash.CauseLexicon.HashCause;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A phrase of a rule file, parsed into a sequence of elements; {@code causes.txt} explains the notation.
 *
 * @param required the bits of words without which a line does not match, see {@link TokenizedLine#hasAll}
 */
record PhrasePattern(
        List<PhrasePattern.Element> elements,
        HashCause value,
        int order,
        boolean atStart,
        boolean atEnd,
        long required) {
    private static final int GAP = 4;
    private static final int MAX_SKIPPED = 7;

    static PhrasePattern of(String text, HashCause value, int order) {
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
                    if (!WordTables.term(part).isIn(Term.SKIPPED)) {
                        append(elements, Element.of(part, gap));
                        gap = false;
                    }
                }
            }
        }
        long required = 0;
        for (Element element : elements) {
            required |= element.isSingle() ? element.bits : 0;
        }
        return new PhrasePattern(elements, value, order, start, end, required);
    }

    /** The words that the phrase may begin with, read without parsing the rest; null if it has to be parsed. */
    static @Nullable List<String> firstWords(String text) {
        for (int from = 0, blank = 0; blank >= 0; from = blank + 1) {
            blank = text.indexOf(' ', from);
            String part = text.substring(from, blank < 0 ? text.length() : blank);
            Term form = WordTables.term(part).form;
            if (form != null && !part.equals("^")) {
                if (part.isEmpty() || "*$<".indexOf(part.charAt(0)) >= 0 || part.indexOf('~') >= 0) {
                    return null;
                }
                if (part.indexOf('/') >= 0) {
                    return Element.of(part, false).words;
                }
                return form.beginsPair() ? null : List.of(form.text);
            }
        }
        return null;
    }

    /** Appends an element. Joins two words that have one canonical form, as the tokenizer does. */
    private static void append(List<Element> elements, Element next) {
        Element before = elements.isEmpty() ? null : elements.get(elements.size() - 1);
        if (before != null && before.isOneWord() && next.isOneWord()) {
            String joined = WordTables.term(before.words.get(0)).pairWith(WordTables.term(next.words.get(0)));
            if (joined != null) {
                elements.set(elements.size() - 1, Element.of(joined, before.gap));
                return;
            }
        }
        elements.add(next);
    }

    /** The index of the last token of the match whose first element a token matches, or -1. */
    int matchBehind(TokenizedLine tokens, int at) {
        return atStart && at != 0 ? -1 : matchFrom(tokens, at, 1);
    }

    /** Whether the first element matches a word. */
    boolean beginsWith(Term term) {
        return elements.get(0).matches(term);
    }

    private int matchFrom(TokenizedLine tokens, int after, int element) {
        if (element == elements.size()) {
            return !atEnd || isLastWord(tokens, after) ? after : -1;
        }
        Element wanted = elements.get(element);
        int end = Math.min(tokens.size, after + 1 + MAX_SKIPPED);
        int words = 0;
        for (int i = after + 1; i < end && words <= (wanted.gap ? GAP : 0); i++) {
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

    private static boolean isLastWord(TokenizedLine tokens, int at) {
        for (int i = at + 1; i < tokens.size; i++) {
            if (tokens.isWord(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A word, one of several words, the beginning of a word, or a kind of token.
     *
     * @param gap whether other words may precede it
     * @param bits the bits of the words, see {@link Term#bit}; all bits for beginnings
     */
    record Element(List<String> words, boolean prefix, boolean gap, byte kind, long bits) {
        static Element of(String part, boolean gap) {
            if (part.startsWith("<")) {
                return new Element(List.of(""), false, gap, kind(part), 0);
            }
            boolean prefix = part.indexOf('~') >= 0;
            List<String> words = new ArrayList<>();
            long bits = prefix ? -1 : 0;
            for (String word : part.replace("~", "").split("/", -1)) {
                Term term = WordTables.term(word);
                Term form = term.form == null ? term : term.form;
                words.add(form.text);
                bits |= form.bit;
            }
            return new Element(List.copyOf(words), prefix, gap, TokenizedLine.WORD, bits);
        }

        private static byte kind(String part) {
            return switch (part) {
                case "<name>" -> TokenizedLine.NAME;
                case "<path>" -> TokenizedLine.PATH;
                case "<host>" -> TokenizedLine.HOST;
                case "<flag>" -> TokenizedLine.FLAG;
                case "<number>" -> TokenizedLine.NUMBER;
                default -> throw new IllegalArgumentException("unknown kind of token: " + part);
            };
        }

        boolean isPlain() {
            return kind == TokenizedLine.WORD && !prefix && !gap;
        }

        /** Whether only one word matches. */
        boolean isSingle() {
            return kind == TokenizedLine.WORD && !prefix && words.size() == 1;
        }

        boolean isOneWord() {
            return isPlain() && words.size() == 1;
        }

        boolean matches(TokenizedLine tokens, int at) {
            byte of = tokens.kind(at);
            return kind == TokenizedLine.WORD
                    ? of == kind && matches(tokens.term(at))
                    : of == kind || kind == TokenizedLine.NAME && of == TokenizedLine.PATH;
        }

        private boolean matches(Term term) {
            for (int i = 0; (bits & term.bit) != 0 && i < words.size(); i++) {
                if (prefix ? term.text.startsWith(words.get(i)) : term.text.equals(words.get(i))) {
                    return true;
                }
            }
            return false;
        }
    }
}
