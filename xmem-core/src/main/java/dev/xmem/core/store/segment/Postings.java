package dev.xmem.core.store.segment;

import java.util.stream.IntStream;

/** A posting list: ascending ordinals. Thread-safe. It may grow; a reader ignores ordinals from its own cutoff on. */
public interface Postings {
    /** No ordinals. */
    Postings EMPTY = new GrowablePostings();

    /** These ordinals, which ascend. */
    static Postings of(IntStream ascending) {
        GrowablePostings postings = new GrowablePostings();
        ascending.forEach(postings::add);
        return postings;
    }

    /** The number of ordinals below a cutoff. */
    int countBelow(int cutoff);

    /** The ordinal at a place that {@link #countBelow} counted. */
    int at(int place);

    /** Whether this ordinal is among them. */
    boolean contains(int ordinal);
}
