package dev.xmem.core.text.analysis;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What became of the words seen last, by their written form in lower case: nearly every word of a log comes again, and
 * then its stem and its place in the lexicon need not be found again. A word may push out another; nothing else is lost.
 */
final class StemCache {
    private static final int SIZE = 4096;

    private final @Nullable Seen[] slots = new Seen[SIZE];
    private final Lexicon lexicon = Lexicon.standard();

    /** One word. */
    static final class Seen {
        private final char[] written;
        private final int hash;
        /** A negation, which says that the next word is not so. */
        final boolean negates;
        /** Left out of the terms. */
        final boolean stop;
        /** Left out of phrases, too. */
        final boolean filler;
        /** The term: an irregular form's base, or the stem. */
        final char[] term;

        final int termHash;
        /** What it is to a phrase: a negation, the stop word, or the lexicon's word for the term. */
        final Lexicon.@Nullable LexiconEntry inPhrase;

        Seen(char[] written, int hash, Lexicon lexicon) {
            Lexicon.LexiconEntry known = lexicon.find(written, written.length, hash);
            this.written = written;
            this.hash = hash;
            this.negates = known != null && known.negation;
            this.stop = known != null && known.stop;
            this.filler = known != null && known.filler && !negates;
            this.term = termOf(written, known);
            this.termHash = WordChars.hash(term, term.length);
            this.inPhrase = negates ? lexicon.not() : stop ? known : lexicon.find(term, term.length, termHash);
        }

        private static char[] termOf(char[] written, Lexicon.@Nullable LexiconEntry known) {
            if (known != null && known.form != null) {
                return known.form.toCharArray();
            }
            char[] stemmed = written.clone();
            return Arrays.copyOf(stemmed, Stemmer.stem(stemmed, stemmed.length));
        }

        /** Whether its term counts: not that of a stop word, nor a single character of ASCII. */
        boolean hasTerm() {
            return !stop && (term.length > 1 || term[0] >= 0x80);
        }

        private boolean is(char[] chars, int length, int itsHash) {
            return itsHash == hash && Arrays.equals(written, 0, written.length, chars, 0, length);
        }
    }

    /** The word that the first characters are, which are in lower case. */
    Seen find(char[] chars, int length) {
        int hash = WordChars.hash(chars, length);
        int slot = hash & (SIZE - 1);
        Seen seen = slots[slot];
        if (seen == null || !seen.is(chars, length, hash)) {
            seen = new Seen(Arrays.copyOf(chars, length), hash, lexicon);
            slots[slot] = seen;
        }
        return seen;
    }

    /** What every negation is. */
    Seen not() {
        char[] not = lexicon.not().word.toCharArray();
        return find(not, not.length);
    }
}
