package dev.xmem.core.text.analysis;

/**
 * Takes what the analyser finds, in the order of the text. It numbers the terms, from 0 on, so that their characters are
 * looked up once for many places.
 */
public interface TokenConsumer {
    /** The number of a term, for as long as the analyser lives. */
    int known(char[] chars, int length, int hash);

    /** The number of the term that stands for this one behind a negation: {@code !} and the term. */
    int negated(int term);

    /** Whether it is a request: it is told where terms stand, which is 0 for others, and what they mean too. */
    boolean isRequest();

    /**
     * One term.
     *
     * @param from position of the first word that it covers, counted in words from the beginning of the text
     * @param to position of the last
     */
    void term(int term, TokenType kind, int from, int to);

    /** Words {@code from} to {@code to} mean what {@code synonyms} says too. Only requests are told. */
    default void synonyms(Synonyms synonyms, int from, int to) {}
}
