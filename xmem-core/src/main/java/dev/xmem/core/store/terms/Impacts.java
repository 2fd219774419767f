package dev.xmem.core.store.terms;

/**
 * What bounds the scores of a posting list: of the list, and of each block of its postings, the pairs of a weight and a
 * length (the number of words of the line) that no other posting beats with a weight as high and a length as short. A
 * score grows with the weight and falls with the length, so the best of these pairs bounds the scores of all postings.
 * They do not depend on statistics, which change when lines are added elsewhere. One thread only.
 * Decision: docs/adr/0091-block-max-postings.md.
 */
public interface Impacts {
    /** The score of a posting of a weight in a line of a number of words. */
    @FunctionalInterface
    interface Score {
        double of(int weight, int length);
    }

    /** The most that a posting of the list can score. */
    double best(Score score);

    /** The number of blocks. */
    int blocks();

    /** The last line of a block. */
    int last(int block);

    /** The most that a posting of a block can score. */
    double best(int block, Score score);
}
