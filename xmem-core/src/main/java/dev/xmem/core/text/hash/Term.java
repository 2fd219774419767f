package dev.xmem.core.text.hash;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A word in lower case with all that the word lists and the phrases know of it, so that a word of a line costs one
 * look-up. Thread-safe: what is found on first use is the same for every thread.
 */
final class Term {
    static final int STOP = 1;
    static final int SKIPPED = 2;
    static final int DIAGNOSTIC = 4;
    static final int QUOTED = 8;

    /** The term of a token that is no word. */
    static final Term NONE = new Term("");

    final String text;

    /** One of 64 bits for the text. */
    final long bit;

    /** The canonical form; null for a word that phrases leave out. */
    final @Nullable Term form;

    private final int lists;
    private final @Nullable String noun;
    private final Map<String, String> pairs;
    private byte known;

    /** The phrases of each matcher that may begin with the word, once they are found. */
    final PhraseMatcher.@Nullable Starts[] starts = new PhraseMatcher.Starts[PhraseMatcher.MATCHERS];

    /** A word that no list has. */
    Term(String text) {
        this(text, null, 0, null, Map.of());
    }

    /**
     * A word of a list.
     *
     * @param form the canonical form if it is another word; or null
     * @param pairs the canonical forms of this word with a second one
     */
    Term(String text, @Nullable Term form, int lists, @Nullable String noun, Map<String, String> pairs) {
        this.text = text;
        this.bit = bit(text);
        this.form = (lists & SKIPPED) != 0 ? null : form == null ? this : form;
        this.lists = lists;
        this.noun = noun;
        this.pairs = pairs;
    }

    /** One of 64 bits for a word. */
    static long bit(String word) {
        int hash = word.hashCode();
        return 1L << (hash ^ hash >>> 6 ^ hash >>> 12);
    }

    /** Whether the word is in one of the lists. */
    boolean isIn(int wanted) {
        return (lists & wanted) != 0;
    }

    /** Whether the word is in the vocabulary of diagnoses; any other word may be a name. */
    boolean isKnown() {
        if (known == 0) {
            boolean found = WordTables.inVocabulary(text);
            known = (byte) (found ? 1 : -1);
            if (found) {
                WordTables.keep(this);
            }
        }
        return known > 0;
    }

    /** Whether the word is kept in a pattern: it is in the vocabulary and no stop word. */
    boolean isTelling() {
        return !isIn(STOP) && isKnown();
    }

    /** The term for a noun, or null if the word is not a noun. */
    @Nullable String noun() {
        return noun;
    }

    /** The canonical form of this word and the next one, or null if they have none. */
    @Nullable String pairWith(Term second) {
        return pairs.get(second.text);
    }

    /** Whether a pair that begins with this word has a canonical form. */
    boolean beginsPair() {
        return !pairs.isEmpty();
    }
}
