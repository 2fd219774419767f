package dev.xmem.core.store.terms;

import org.jspecify.annotations.Nullable;

/**
 * The words of a stretch of a log. Its lines are counted from 0; what is asked below a cutoff is answered as if there were
 * no lines from there on. Thread-safe.
 */
public interface TextIndex {
    /** One past the last line. */
    int end();

    /** How many entries there are below a line. */
    int entriesBelow(int cutoff);

    /** How many words the entries below a line have. */
    long wordsBelow(int cutoff);

    /** How many words the entry at a line has. */
    int words(int line);

    /** The same of all lines below one, as unsigned bytes; 255 stands for that many or more. */
    byte[] fewWords(int cutoff);

    /** Where a term stands; null if nowhere. */
    @Nullable TermLines find(String term);

    /** Where a term stands. */
    interface TermLines {
        /** In how many entries below a line. */
        int count(int cutoff);

        /** Walks along the entries below a line; null when there is none. */
        @Nullable PostingsIterator cursor(int cutoff);
    }
}
