package dev.xmem.core.store.segment;

import java.util.stream.IntStream;

/** Ascending ordinals. Thread-safe; a list may grow at its end, and a reader ignores what is beyond the count it began with. */
public interface Postings {
    /** No ordinals. */
    Postings EMPTY = new GrowablePostings();

    /** These ordinals, which ascend. */
    static Postings of(IntStream ascending) {
        GrowablePostings postings = new GrowablePostings();
        ascending.forEach(postings::add);
        return postings;
    }

    /** How many are below this one. */
    int countBelow(int cutoff);

    /** The ordinal at a place that {@link #countBelow} counted. */
    int at(int place);

    /** Whether this ordinal is among them. */
    boolean contains(int ordinal);
}
