package dev.xmem.core.text.hash;

import dev.xmem.core.text.analysis.RuleFile;
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
        for (String part : RuleFile.words(text)) {
            switch (part) {
                case "^" -> start = true;
                case "$" -> end = true;
                case "*" -> gap = true;
                default -> {
                    if (!WordTables.SKIPPED.contains(part)) {
                        append(elements, Element.of(part, gap));
                        gap = false;
                    }
                }
            }
        }
        long required = 0;
        for (Element element : elements) {
            required |= element.bit();
        }
        return new PhrasePattern(elements, value, order, start, end, required);
    }

    /** The words that the phrase may begin with, read without parsing the rest; null if it has to be parsed. */
    static @Nullable List<String> firstWords(String text) {
        for (int from = 0, blank = 0; blank >= 0; from = blank + 1) {
            blank = text.indexOf(' ', from);
            String part = text.substring(from, blank < 0 ? text.length() : blank);
            if (!part.equals("^") && !WordTables.SKIPPED.contains(part)) {
                boolean plain = !part.isEmpty() && "*$<".indexOf(part.charAt(0)) < 0 && part.indexOf('~') < 0;
                List<String> words = plain ? Element.of(part, false).words : null;
                return words == null || words.size() == 1 && isJoined(words.get(0), text, blank + 1) ? null : words;
            }
        }
        return null;
    }

    /** Whether the first word may have one canonical form with the part at an index; 0 if it is the only part. */
    private static boolean isJoined(String first, String text, int from) {
        if (from == 0 || !WordTables.beginsPair(first)) {
            return false;
        }
        int blank = text.indexOf(' ', from);
        String next = text.substring(from, blank < 0 ? text.length() : blank);
        return WordTables.SKIPPED.contains(next) || WordTables.canonical(first, WordTables.canonical(next)) != null;
    }

    /** Appends an element. Joins two words that have one canonical form, as the tokenizer does. */
    private static void append(List<Element> elements, Element next) {
        Element before = elements.isEmpty() ? null : elements.get(elements.size() - 1);
        if (before != null && before.isOneWord() && next.isOneWord()) {
            String joined = WordTables.canonical(before.words.get(0), next.words.get(0));
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

    /** Whether the first element matches a token. */
    boolean beginsAt(TokenizedLine tokens, int at) {
        return elements.get(0).matches(tokens, at);
    }

    private int matchFrom(TokenizedLine tokens, int after, int element) {
        if (element == elements.size()) {
            return !atEnd || isLastWord(tokens, after) ? after : -1;
        }
        Element wanted = elements.get(element);
        int end = Math.min(tokens.size, after + 1 + MAX_SKIPPED);
        int words = 0;
        for (int i = after + 1; i < end && words <= (wanted.gap ? GAP : 0); i++) {
            if (tokens.beginsSentence(i)) {
                return -1;
            }
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
     * @param first the first of the words
     * @param gap whether other words may precede it
     */
    record Element(String first, List<String> words, boolean prefix, boolean gap, byte kind) {
        static Element of(String part, boolean gap) {
            if (part.startsWith("<")) {
                return new Element("", List.of(""), false, gap, kind(part));
            }
            boolean prefix = part.indexOf('~') >= 0;
            if (!prefix && part.indexOf('/') < 0) {
                String word = WordTables.canonical(part);
                return new Element(word, List.of(word), false, gap, TokenizedLine.WORD);
            }
            List<String> words = new ArrayList<>();
            for (String word : part.replace("~", "").split("/", -1)) {
                words.add(WordTables.canonical(word));
            }
            return new Element(words.get(0), words, prefix, gap, TokenizedLine.WORD);
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

        /** The bit of the word that matches; 0 if several words or tokens do. */
        long bit() {
            return kind == TokenizedLine.WORD && !prefix && words.size() == 1 ? TokenizedLine.bit(words.get(0)) : 0;
        }

        boolean isOneWord() {
            return isPlain() && words.size() == 1;
        }

        boolean matches(TokenizedLine tokens, int at) {
            if (kind != TokenizedLine.WORD || tokens.kind(at) != kind) {
                return tokens.kind(at) == kind || kind == TokenizedLine.NAME && tokens.kind(at) == TokenizedLine.PATH;
            }
            String word = tokens.word(at);
            if (!prefix) {
                return first.equals(word) || words.size() > 1 && words.contains(word);
            }
            for (int i = 0; i < words.size(); i++) {
                if (word.startsWith(words.get(i))) {
                    return true;
                }
            }
            return false;
        }
    }
}
