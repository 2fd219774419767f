package dev.xmem.core.store.terms;

import org.jspecify.annotations.Nullable;

/**
 * The inverted index of the words of a run of lines, which are numbered from 0. A method with a cutoff answers as if
 * there were no lines from there on. Thread-safe.
 */
public interface TextIndex {
    /** One past the last line. */
    int end();

    /** The number of entries below a line. */
    int entriesBelow(int cutoff);

    /** The number of words in the entries below a line. */
    long wordsBelow(int cutoff);

    /** The number of words in the entry at a line. */
    int words(int line);

    /** Copies the norms of {@code count} lines: the number of words of each as an unsigned byte, at most 255. */
    void norms(int from, int count, byte[] into);

    /** Identifies the lines, without a reference to them; null while lines may be added. */
    default @Nullable Object identity() {
        return null;
    }

    /** The number of lines of a run, for each of which a term has a posting list; the last run may be shorter. */
    default int runLines() {
        return Integer.MAX_VALUE;
    }

    /** The posting list of a term; null if no line has it. */
    @Nullable TermPostings find(String term);

    /** The posting list of a term. */
    interface TermPostings {
        /** The number of entries below a line that have the term. */
        int count(int cutoff);

        /** The postings below a line; null if there are none. */
        @Nullable PostingsIterator iterator(int cutoff);

        /** The postings of a run of lines; null if there are none. */
        @Nullable RunPostings run(int number);
    }

    /** The postings of a term in one run of lines. */
    interface RunPostings {
        /** The postings below a line; null if there are none. */
        @Nullable PostingsIterator iterator(int cutoff);

        /** The impacts of the postings, block by block; null if there are none. */
        default @Nullable Impacts impacts() {
            return null;
        }

        /** About how many postings there are. */
        int size();
    }
}
