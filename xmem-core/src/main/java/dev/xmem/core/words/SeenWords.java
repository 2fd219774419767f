package dev.xmem.core.words;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What became of the words seen last, by their written form in lower case: nearly every word of a log comes again, and
 * then its stem and its place in the lexicon need not be found again. A word may push out another; nothing else is lost.
 */
final class SeenWords {
    private static final int SIZE = 4096;

    private final @Nullable Seen[] slots = new Seen[SIZE];
    private final Lexicon lexicon = Lexicon.standard();

    /** One word. */
    static final class Seen {
        private final char[] written;
        private final int hash;
        /** The lexicon's word for the written form. */
        final Lexicon.@Nullable Entry known;
        /** The term: an irregular form's base, or the stem. */
        final char[] term;

        final int termHash;
        /** The lexicon's word for the term. */
        final Lexicon.@Nullable Entry stem;

        Seen(char[] written, int hash, Lexicon lexicon) {
            this.written = written;
            this.hash = hash;
            this.known = lexicon.find(written, written.length, hash);
            this.term = termOf(written, known);
            this.termHash = Chars.hash(term, term.length);
            this.stem = lexicon.find(term, term.length, termHash);
        }

        private static char[] termOf(char[] written, Lexicon.@Nullable Entry known) {
            if (known != null && known.form != null) {
                return known.form.toCharArray();
            }
            char[] stemmed = written.clone();
            return Arrays.copyOf(stemmed, Stemmer.stem(stemmed, stemmed.length));
        }

        private boolean is(char[] chars, int from, int length, int itsHash) {
            if (itsHash != hash || length != written.length) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                if (written[i] != chars[from + i]) {
                    return false;
                }
            }
            return true;
        }
    }

    Seen find(char[] chars, int length) {
        return find(chars, 0, length, Chars.hash(chars, length));
    }

    Seen find(char[] chars, int from, int length, int hash) {
        int slot = hash & (SIZE - 1);
        Seen seen = slots[slot];
        if (seen == null || !seen.is(chars, from, length, hash)) {
            seen = new Seen(Arrays.copyOfRange(chars, from, from + length), hash, lexicon);
            slots[slot] = seen;
        }
        return seen;
    }
}
