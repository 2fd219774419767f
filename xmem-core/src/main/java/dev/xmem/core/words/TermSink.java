package dev.xmem.core.words;

/** Takes what the analyser finds, in the order of the text. */
interface TermSink {
    /** One term. */
    void term(Token token);

    /** Words {@code from} to {@code to} mean what {@code synonyms} says too. Only requests care. */
    default void synonyms(Synonyms synonyms, int from, int to) {}
}
