package dev.xmem.core.agent.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A phrase of {@code frustration.txt}, matched against the words of a sentence without regular expressions. Immutable.
 */
final class Phrase {
    private static final String GAP = "…";
    private static final String SHORT_GAP = "~";
    private static final String BORDER = "|";
    private static final char DIGIT = '#';
    private static final int GAP_WORDS = 4;
    private static final int STEM_SUFFIX = 12;

    private final List<Element> elements = new ArrayList<>();

    /**
     * One word of the phrase, or one of several.
     *
     * @param gap the number of words that may precede it
     * @param absent whether none of the words may follow within the gap; matches no word itself
     * @param words the alternatives that are one whole word
     * @param sequences the alternatives that are stems or several words
     */
    private record Element(int gap, boolean absent, Set<String> words, List<String[]> sequences) {
        /** Whether it matches no word but the border of a clause. */
        boolean isAnchor() {
            return words.contains(BORDER);
        }

        /** Whether one of the words follows within the gap. */
        boolean isIn(List<String> sentence, int at) {
            for (int skipped = 0; skipped <= gap; skipped++) {
                if (end(sentence, at + skipped) >= 0) {
                    return true;
                }
            }
            return false;
        }

        /** The position behind the longest alternative at a position; -1 if there is none. */
        int end(List<String> sentence, int at) {
            if (at >= sentence.size()) {
                return -1;
            }
            int end = words.contains(sentence.get(at)) ? at + 1 : -1;
            for (String[] sequence : sequences) {
                end = Math.max(end, end(sequence, sentence, at));
            }
            return end;
        }

        private static int end(String[] sequence, List<String> sentence, int at) {
            if (at + sequence.length > sentence.size()) {
                return -1;
            }
            for (int i = 0; i < sequence.length; i++) {
                if (!isWord(sequence[i], sentence.get(at + i))) {
                    return -1;
                }
            }
            return at + sequence.length;
        }

        private static boolean isWord(String pattern, String word) {
            if (pattern.charAt(0) == '*') {
                return word.endsWith(pattern.substring(1));
            }
            int stem = pattern.length() - 1;
            return pattern.charAt(stem) == '*'
                    ? word.length() <= stem + STEM_SUFFIX && word.regionMatches(0, pattern, 0, stem)
                    : hasForm(pattern, word);
        }

        /** Whether a word is the pattern, with a digit in the place of each {@link #DIGIT}. */
        private static boolean hasForm(String pattern, String word) {
            if (pattern.length() != word.length()) {
                return false;
            }
            for (int i = 0; i < word.length(); i++) {
                char c = word.charAt(i);
                boolean same = pattern.charAt(i) == c || pattern.charAt(i) == DIGIT && c >= '0' && c <= '9';
                if (!same) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Parses a phrase.
     *
     * @param classes the alternatives of the word classes that the phrase may name
     */
    Phrase(String text, Map<String, List<String>> classes) {
        int gap = 0;
        for (String part : text.split(" ")) {
            if (part.equals(GAP) || part.equals(SHORT_GAP)) {
                gap += part.equals(GAP) ? GAP_WORDS : 1;
                continue;
            }
            boolean absent = part.charAt(0) == '!';
            List<String> words = new ArrayList<>();
            List<String[]> sequences = new ArrayList<>();
            for (String alternative : alternatives(absent ? part.substring(1) : part, classes)) {
                if (alternative.chars().anyMatch(c -> c == '_' || c == '*' || c == DIGIT)) {
                    sequences.add(alternative.split("_"));
                } else {
                    words.add(alternative);
                }
            }
            elements.add(new Element(gap, absent, Set.copyOf(words), sequences));
            gap = 0;
        }
    }

    /** The alternatives of an element, with those of a class in place of its name. */
    static List<String> alternatives(String element, Map<String, List<String>> classes) {
        List<String> all = new ArrayList<>();
        for (String alternative : element.split("/")) {
            List<String> named = classes.get(alternative);
            all.addAll(named == null ? List.of(alternative) : named);
        }
        return all;
    }

    /** The position behind this phrase if a sentence has it at a position; -1 otherwise. */
    int end(Sentence sentence, int at) {
        return end(sentence, at, 0);
    }

    private int end(Sentence sentence, int at, int index) {
        if (index == elements.size()) {
            return at;
        }
        Element element = elements.get(index);
        if (element.isAnchor()) {
            int border = border(element, sentence, at);
            return border < 0 ? -1 : end(sentence, border, index + 1);
        }
        if (element.absent) {
            return element.isIn(sentence.words(), at) ? -1 : end(sentence, at, index + 1);
        }
        boolean anchored = index == 0 || elements.get(index - 1).isAnchor();
        for (int skipped = 0; skipped <= element.gap; skipped++) {
            int from = at + skipped;
            boolean crosses = sentence.isClauseStart(from) || skipped == 1 && !anchored && sentence.isClauseStart(at);
            if (skipped > 0 && crosses) {
                return -1;
            }
            int next = element.end(sentence.words(), from);
            int end = next < 0 ? -1 : end(sentence, next, index + 1);
            if (end >= 0) {
                return end;
            }
        }
        return -1;
    }

    /** The position of the border of a clause within the gap; -1 if there is none. An absent border is at no word. */
    private static int border(Element element, Sentence sentence, int at) {
        if (element.absent) {
            return sentence.isClauseStart(at) ? -1 : at;
        }
        for (int border = at;
                border <= Math.min(at + element.gap, sentence.words().size());
                border++) {
            if (sentence.isClauseStart(border)) {
                return border;
            }
        }
        return -1;
    }

    /** Whether a sentence has one of these phrases at a position from {@code from} and before {@code to}. */
    static boolean anyBetween(List<Phrase> phrases, Sentence sentence, int from, int to) {
        for (int at = from; at < to; at++) {
            for (Phrase phrase : phrases) {
                if (phrase.end(sentence, at) >= 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
