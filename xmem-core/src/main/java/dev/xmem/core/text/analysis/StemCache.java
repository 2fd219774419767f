package dev.xmem.core.text.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A direct-mapped cache from a word in lower case to its stem and lexicon entry: nearly every word of a log recurs. A
 * word may evict another one. For one thread.
 */
final class StemCache {
    private static final int SIZE = 4096;

    private final @Nullable Stem[] slots = new Stem[SIZE];
    private final Lexicon lexicon;

    StemCache(Lexicon lexicon) {
        this.lexicon = lexicon;
    }

    /** The analysis of one word. */
    static final class Stem {
        private final char[] written;
        private final int hash;
        /** Whether it negates the next word. */
        final boolean negates;
        /** Whether it is not a term. */
        final boolean stop;
        /** Whether phrases skip it. */
        final boolean filler;
        /** The term: an irregular form's base, or the stem. */
        final char[] term;

        final int termHash;
        /** The number of the term, once the consumer has given it; {@link TokenBuffer#NONE} before. */
        int number = TokenBuffer.NONE;
        /** Its entry for phrases: that of {@code not}, of the stop word, or of the term. */
        final Lexicon.@Nullable LexiconEntry inPhrase;

        Stem(char[] written, int hash, Lexicon lexicon) {
            Lexicon.LexiconEntry known = lexicon.find(written, written.length, hash);
            this.written = written;
            this.hash = hash;
            this.negates = known != null && known.negation;
            this.stop = known != null && known.stop;
            this.filler = known != null && known.filler && !negates;
            this.term = termOf(written, known);
            boolean same = term == written;
            this.termHash = same ? hash : WordChars.hash(term, term.length);
            this.inPhrase = negates ? lexicon.not() : stop || same ? known : lexicon.find(term, term.length, termHash);
        }

        private static char[] termOf(char[] written, Lexicon.@Nullable LexiconEntry known) {
            if (known != null && known.form != null) {
                return known.form.toCharArray();
            }
            char[] stemmed = written.clone();
            int length = Stemmer.stem(stemmed, stemmed.length);
            return Arrays.equals(stemmed, 0, length, written, 0, written.length)
                    ? written
                    : Arrays.copyOf(stemmed, length);
        }

        /** Whether it has a term: it is neither a stop word nor a single ASCII character. */
        boolean hasTerm() {
            return !stop && (term.length > 1 || term[0] >= 0x80);
        }

        private boolean is(char[] chars, int length, int itsHash) {
            return itsHash == hash && Arrays.equals(written, 0, written.length, chars, 0, length);
        }
    }

    /** The analysis of the word in the first characters of an array, in lower case. */
    Stem find(char[] chars, int length) {
        int hash = WordChars.hash(chars, length);
        int slot = hash & (SIZE - 1);
        Stem stem = slots[slot];
        if (stem == null || !stem.is(chars, length, hash)) {
            stem = new Stem(Arrays.copyOf(chars, length), hash, lexicon);
            slots[slot] = stem;
        }
        return stem;
    }

    /** The analysis of {@code not}, for every negation. */
    Stem not() {
        char[] not = lexicon.not().word.toCharArray();
        return find(not, not.length);
    }
}
