package dev.xmem.core.text.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of one chunk. A token depends on its chunk alone; negation and phrases, which depend on preceding words,
 * are applied by the {@link Analyzer}. Two numbers say all that an entry needs, so that a {@link TextCache} keeps them:
 * the number of the term and the flags. For one thread.
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

    /** Of each token: its term, and the flags, the type, and the number of the lexicon entry for phrases plus one. */
    private int[] numbers = new int[128];

    private int[] ranges = new int[128];
    private int count;

    /** The number of tokens. */
    int count() {
        return count;
    }

    /** Removes all tokens. */
    void clear() {
        count = 0;
    }

    /** The term and the flags of each token, one after the other. */
    int[] numbers() {
        return numbers;
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
        if (2 * count == numbers.length) {
            numbers = Arrays.copyOf(numbers, 4 * count);
            ranges = Arrays.copyOf(ranges, 4 * count);
        }
        numbers[2 * count] = term;
        numbers[2 * count + 1] = flag;
        ranges[2 * count] = from;
        ranges[2 * count + 1] = to;
        count++;
    }

    static boolean isWord(int flags) {
        return (flags & WORD) != 0;
    }

    static boolean negates(int flags) {
        return (flags & NEGATES) != 0;
    }

    /** Whether phrases skip the word. */
    static boolean isFiller(int flags) {
        return (flags & FILLER) != 0;
    }

    /** Whether it only adds its term as long as no phrase is open and nothing is negated. */
    static boolean isPlain(int flags) {
        return (flags & PLAIN) != 0;
    }

    static TokenType kind(int flags) {
        return KINDS[flags & KIND];
    }

    /** The lexicon entry of the word for phrases; null if there is none. */
    static Lexicon.@Nullable LexiconEntry inPhrase(int flags, Lexicon lexicon) {
        int number = (flags >>> PHRASE_SHIFT) - 1;
        return number < 0 ? null : lexicon.entry(number);
    }

    /** The term number; {@link #NONE} if there is none. */
    int term(int token) {
        return numbers[2 * token];
    }

    int flags(int token) {
        return numbers[2 * token + 1];
    }

    int from(int token) {
        return ranges[2 * token];
    }

    int to(int token) {
        return ranges[2 * token + 1];
    }
}
