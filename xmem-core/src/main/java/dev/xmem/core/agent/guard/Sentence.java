package dev.xmem.core.agent.guard;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A sentence of a user's message.
 *
 * @param text the folded text
 * @param words its words; contractions have no apostrophe, and an elided article is a word of its own
 * @param clauseStarts the positions of the words that begin a clause, and the end
 * @param isQuestion whether it ends in a question mark
 */
record Sentence(String text, List<String> words, BitSet clauseStarts, boolean isQuestion) {
    private static final int FEW_WORDS = 2;
    private static final String ENDS = "!?;\n。！？؟।";
    private static final String CLAUSES = ",:()[]–—،、";
    private static final Set<String> CONTRACTIONS = Set.of("s", "t", "m", "d", "re", "ve", "ll");

    /** Splits a folded text. A sentence of one or two words is a clause of the one before it: "Broken. Again." */
    static List<Sentence> of(String text) {
        List<Sentence> sentences = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || ends(text, i)) {
                Sentence sentence = one(text.substring(begin, i), text.startsWith("?", i));
                int last = sentences.size() - 1;
                if (last >= 0 && !sentence.words.isEmpty() && sentence.words.size() <= FEW_WORDS) {
                    sentences.set(last, sentences.get(last).and(sentence));
                } else if (!sentence.words.isEmpty()) {
                    sentences.add(sentence);
                }
                begin = i + 1;
            }
        }
        return sentences;
    }

    private Sentence and(Sentence next) {
        List<String> all = new ArrayList<>(words);
        all.addAll(next.words);
        BitSet starts = (BitSet) clauseStarts.clone();
        next.clauseStarts.stream().forEach(start -> starts.set(words.size() + start));
        return new Sentence(text + '\n' + next.text, all, starts, isQuestion);
    }

    /** Whether a sentence ends here: a point must be followed by white space and must not follow a number. */
    private static boolean ends(String text, int at) {
        char c = text.charAt(at);
        boolean point = c == '.'
                && (at + 1 == text.length() || Character.isWhitespace(text.charAt(at + 1)))
                && !(at > 0 && Character.isDigit(text.charAt(at - 1)));
        return point || ENDS.indexOf(c) >= 0;
    }

    private static Sentence one(String text, boolean question) {
        List<String> words = new ArrayList<>();
        BitSet starts = new BitSet();
        starts.set(0);
        StringBuilder word = new StringBuilder();
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ' ';
            if (isWord(c)) {
                word.append(c);
                continue;
            } else if (c == '\'' && word.length() > 0 && CONTRACTIONS.contains(wordAt(text, i + 1))) {
                continue;
            }
            if (word.length() > 0) {
                words.add(word.toString());
                word.setLength(0);
            }
            if (CLAUSES.indexOf(c) >= 0 || isSurrounded(text, i)) {
                starts.set(words.size());
            }
        }
        starts.set(words.size());
        return new Sentence(text, words, starts, question);
    }

    /** Whether the character is a hyphen or points between blanks. */
    private static boolean isSurrounded(String text, int at) {
        return text.startsWith("..", at) || text.startsWith(" - ", at);
    }

    private static String wordAt(String text, int from) {
        int end = from;
        while (end < text.length() && end - from < 3 && isWord(text.charAt(end))) {
            end++;
        }
        return text.substring(from, end);
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c)
                || c == Prose.QUOTED
                || Character.getType(c) == Character.NON_SPACING_MARK
                || Character.getType(c) == Character.COMBINING_SPACING_MARK;
    }

    /** The same sentence with other words in the place of abbreviations and misspelled words. */
    Sentence spelled(Map<String, String[]> spelling) {
        if (words.stream().noneMatch(spelling::containsKey)) {
            return this;
        }
        List<String> spelled = new ArrayList<>();
        BitSet starts = new BitSet();
        for (int at = 0; at < words.size(); at++) {
            starts.set(spelled.size(), clauseStarts.get(at));
            String word = words.get(at);
            spelled.addAll(List.of(spelling.getOrDefault(word, new String[] {word})));
        }
        starts.set(spelled.size());
        return new Sentence(text, spelled, starts, isQuestion);
    }

    /** Whether a clause begins at a position. */
    boolean isClauseStart(int at) {
        return clauseStarts.get(at);
    }
}
