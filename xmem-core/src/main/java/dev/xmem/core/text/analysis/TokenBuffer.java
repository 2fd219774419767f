package dev.xmem.core.text.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What chunks of text add to the terms of a text, one thing after the other. It follows from the chunk alone, so that it is
 * found once for all places where the chunk stands; what depends on the words before is up to the {@link Analyzer}. A step
 * is two numbers, and two more that only requests read: most of the time of an analysis goes to memory, and objects lie apart.
 */
final class TokenBuffer {
    /** No term, or nothing that a phrase knows. */
    static final int NONE = -1;

    private static final TokenType[] KINDS = TokenType.values();
    private static final int KIND = 7;
    private static final int WORD = 8;
    private static final int NEGATES = 16;
    private static final int FILLER = 32;
    /** Does nothing but to add its term, as long as no phrase has begun and nothing is negated. */
    private static final int PLAIN = 64;

    private static final int PHRASE_SHIFT = 7;

    private int[] terms = new int[64];
    /** The flags, the kind, and what the word is to a phrase: the number of a lexicon's word and one. */
    private int[] flags = new int[64];

    private int[] places = new int[128];
    private int count;

    /** How many there are. */
    int count() {
        return count;
    }

    /** Forgets the steps from this one on. */
    void truncate(int step) {
        count = step;
    }

    /**
     * A word, which takes a position of its own.
     *
     * @param term its term; {@link #NONE} where it has none
     * @param plain whether it begins no phrase and negates nothing
     * @param from where it begins in the chunk
     * @param to where it ends
     */
    void word(StemCache.Seen word, int term, TokenType kind, boolean plain, int from, int to) {
        Lexicon.LexiconEntry entry = word.inPhrase;
        int phrase = entry == null ? 0 : entry.number() + 1 << PHRASE_SHIFT;
        int what = (word.negates ? NEGATES : 0) | (word.filler ? FILLER : 0) | (plain ? PLAIN : 0);
        add(term, WORD | kind.ordinal() | what | phrase, from, to);
    }

    /** A number, which is no word but takes a position. */
    void number(int from, int to) {
        add(NONE, WORD | FILLER | PLAIN, from, to);
    }

    /** One more term for words that were before: from one position to another, counted from the chunk's first word. */
    void more(int term, TokenType kind, int from, int to) {
        add(term, PLAIN | kind.ordinal(), from, to);
    }

    private void add(int term, int what, int from, int to) {
        if (count == terms.length) {
            terms = Arrays.copyOf(terms, 2 * count);
            flags = Arrays.copyOf(flags, 2 * count);
            places = Arrays.copyOf(places, 4 * count);
        }
        terms[count] = term;
        flags[count] = what;
        places[2 * count] = from;
        places[2 * count + 1] = to;
        count++;
    }

    boolean isWord(int step) {
        return (flags[step] & WORD) != 0;
    }

    boolean negates(int step) {
        return (flags[step] & NEGATES) != 0;
    }

    /** Whether phrases pass over the word. */
    boolean isFiller(int step) {
        return (flags[step] & FILLER) != 0;
    }

    /** Whether it does nothing but to add its term, as long as no phrase has begun and nothing is negated. */
    boolean isPlain(int step) {
        return (flags[step] & PLAIN) != 0;
    }

    TokenType kind(int step) {
        return KINDS[flags[step] & KIND];
    }

    /** The term; {@link #NONE} if there is none. */
    int term(int step) {
        return terms[step];
    }

    /** What the word is to phrases; null if nothing. */
    Lexicon.@Nullable LexiconEntry inPhrase(int step) {
        int number = (flags[step] >>> PHRASE_SHIFT) - 1;
        return number < 0 ? null : Lexicon.standard().entry(number);
    }

    int from(int step) {
        return places[2 * step];
    }

    int to(int step) {
        return places[2 * step + 1];
    }
}
