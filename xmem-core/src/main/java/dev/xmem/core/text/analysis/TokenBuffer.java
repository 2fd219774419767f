package dev.xmem.core.text.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of chunks, recorded once and replayed wherever the chunk recurs. A token depends on its chunk alone;
 * negation and phrases, which depend on preceding words, are applied by the {@link Analyzer}. Packed as two ints per
 * token, and two more that only queries read, because analysis is bound by memory latency. For one thread.
 */
final class TokenBuffer {
    /** The term number of a token without a term. */
    static final int NONE = -1;

    private static final TokenType[] KINDS = TokenType.values();
    private static final int KIND = 7;
    private static final int WORD = 8;
    private static final int NEGATES = 16;
    private static final int FILLER = 32;
    /** See {@link #isPlain}. */
    private static final int PLAIN = 64;

    private static final int PHRASE_SHIFT = 7;

    private int[] terms = new int[64];
    /** The flags, the type, and the number of the lexicon entry for phrases plus one. */
    private int[] flags = new int[64];

    private int[] ranges = new int[128];
    private int count;

    /** The number of tokens. */
    int count() {
        return count;
    }

    /** Removes the tokens from one on. */
    void truncate(int token) {
        count = token;
    }

    /**
     * Adds a word, which takes a position.
     *
     * @param term its term; {@link #NONE} if it has none
     * @param plain whether it begins no phrase and negates nothing
     * @param from its start in the chunk
     * @param to its end in the chunk
     */
    void word(StemCache.Stem word, int term, TokenType kind, boolean plain, int from, int to) {
        Lexicon.LexiconEntry entry = word.inPhrase;
        int phrase = entry == null ? 0 : entry.number() + 1 << PHRASE_SHIFT;
        int set = (word.negates ? NEGATES : 0) | (word.filler ? FILLER : 0) | (plain ? PLAIN : 0);
        add(term, WORD | kind.ordinal() | set | phrase, from, to);
    }

    /** Adds a number, which takes a position but has no term of its own. */
    void number(int from, int to) {
        add(NONE, WORD | FILLER | PLAIN, from, to);
    }

    /** Adds another term for earlier words, given by their positions from the first word of the chunk. */
    void more(int term, TokenType kind, int from, int to) {
        add(term, PLAIN | kind.ordinal(), from, to);
    }

    private void add(int term, int flag, int from, int to) {
        if (count == terms.length) {
            terms = Arrays.copyOf(terms, 2 * count);
            flags = Arrays.copyOf(flags, 2 * count);
            ranges = Arrays.copyOf(ranges, 4 * count);
        }
        terms[count] = term;
        flags[count] = flag;
        ranges[2 * count] = from;
        ranges[2 * count + 1] = to;
        count++;
    }

    boolean isWord(int token) {
        return (flags[token] & WORD) != 0;
    }

    boolean negates(int token) {
        return (flags[token] & NEGATES) != 0;
    }

    /** Whether phrases skip the word. */
    boolean isFiller(int token) {
        return (flags[token] & FILLER) != 0;
    }

    /** Whether it only adds its term as long as no phrase is open and nothing is negated. */
    boolean isPlain(int token) {
        return (flags[token] & PLAIN) != 0;
    }

    TokenType kind(int token) {
        return KINDS[flags[token] & KIND];
    }

    /** The term number; {@link #NONE} if there is none. */
    int term(int token) {
        return terms[token];
    }

    /** The lexicon entry of the word for phrases; null if there is none. */
    Lexicon.@Nullable LexiconEntry inPhrase(int token) {
        int number = (flags[token] >>> PHRASE_SHIFT) - 1;
        return number < 0 ? null : Lexicon.standard().entry(number);
    }

    int from(int token) {
        return ranges[2 * token];
    }

    int to(int token) {
        return ranges[2 * token + 1];
    }
}
