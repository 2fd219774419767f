package dev.xmem.core.agent.guard;

import java.util.ArrayList;
import java.util.List;

/**
 * A phrase of {@code frustration.txt}, matched against the words of a sentence without regular expressions. Immutable.
 */
final class Phrase {
    private static final String GAP = "…";
    private static final int GAP_WORDS = 4;
    private static final int STEM_SUFFIX = 12;
    private static final char DIGIT = '#';

    private final List<Element> elements = new ArrayList<>();

    /**
     * One word of the phrase.
     *
     * @param gap the number of words that may precede it
     * @param words the patterns of which it matches one
     */
    private record Element(int gap, List<String> words) {
        boolean matches(String word) {
            for (String pattern : words) {
                if (isWord(pattern, word)) {
                    return true;
                }
            }
            return false;
        }
    }

    Phrase(String text) {
        int gap = 0;
        for (String part : text.split(" ")) {
            if (part.equals(GAP)) {
                gap += GAP_WORDS;
            } else {
                elements.add(new Element(gap, List.of(part.split("/"))));
                gap = 0;
            }
        }
    }

    /** Whether a pattern has alternatives in form: a stem, an end, or digits. */
    static boolean isPattern(String pattern) {
        return pattern.indexOf('*') >= 0 || pattern.indexOf(DIGIT) >= 0;
    }

    /** Whether a word is a pattern, with its prefix or end where there is a star and with digits for {@link #DIGIT}. */
    static boolean isWord(String pattern, String word) {
        int stem = pattern.length() - 1;
        if (pattern.charAt(0) == '*') {
            return word.endsWith(pattern.substring(1));
        }
        if (pattern.charAt(stem) == '*') {
            return word.length() <= stem + STEM_SUFFIX && word.regionMatches(0, pattern, 0, stem);
        }
        boolean same = pattern.length() == word.length();
        for (int i = 0; i < word.length() && same; i++) {
            char c = word.charAt(i);
            same = pattern.charAt(i) == c || pattern.charAt(i) == DIGIT && c >= '0' && c <= '9';
        }
        return same;
    }

    /** Whether a sentence has one of these phrases. */
    static boolean anyIn(List<Phrase> phrases, Sentence sentence) {
        for (int at = 0; at < sentence.words().size(); at++) {
            for (Phrase phrase : phrases) {
                if (phrase.matches(sentence, at, 0)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean matches(Sentence sentence, int at, int index) {
        if (index == elements.size()) {
            return true;
        }
        Element element = elements.get(index);
        for (int skipped = 0; skipped <= element.gap; skipped++) {
            int from = at + skipped;
            boolean crosses = sentence.isClauseStart(from) || skipped == 1 && sentence.isClauseStart(at);
            if (from >= sentence.words().size() || skipped > 0 && crosses) {
                return false;
            }
            if (element.matches(sentence.words().get(from)) && matches(sentence, from + 1, index + 1)) {
                return true;
            }
        }
        return false;
    }
}
