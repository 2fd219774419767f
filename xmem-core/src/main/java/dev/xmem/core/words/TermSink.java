package dev.xmem.core.words;

/** Takes what the analyser finds, in the order of the text. */
interface TermSink {
    /**
     * One term. The array is the analyser's and holds the term only during the call.
     *
     * @param from position of the first word that the term covers, counted in words from the beginning of the text
     * @param to position of the last
     */
    void term(char[] chars, int length, TermKind kind, int from, int to);

    /** Words {@code from} to {@code to} mean what {@code synonyms} says too. Only requests care. */
    default void synonyms(Synonyms synonyms, int from, int to) {}
}
