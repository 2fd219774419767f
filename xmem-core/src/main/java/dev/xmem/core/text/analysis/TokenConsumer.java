package dev.xmem.core.text.analysis;

import java.util.List;

/**
 * Takes the output of the {@link Analyzer}, in text order. It numbers the terms from 0, so that the analyzer can cache
 * a term's number with the chunk and look its characters up once.
 */
public interface TokenConsumer {
    /** The number of a term, which stays valid as long as the analyzer. */
    int known(char[] chars, int length, int hash);

    /** The number of the negated form of a term: {@code !} and the term. */
    int negated(int term);

    /** Whether the text is a query. Only a query gets positions, which are 0 otherwise, and synonyms. */
    boolean isQuery();

    /**
     * Takes a term.
     *
     * @param from the position of its first word, counted in words from the start of the text
     * @param to the position of its last word
     */
    void term(int term, TokenType kind, int from, int to);

    /** Takes the synonyms of the words from one position to another. Called for queries only. */
    default void synonyms(List<Lexicon.Alternative> synonyms, int from, int to) {}
}
