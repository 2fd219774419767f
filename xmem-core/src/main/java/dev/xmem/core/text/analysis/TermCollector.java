package dev.xmem.core.text.analysis;

import java.util.ArrayList;
import java.util.List;

/** Passes terms on as strings: for the few terms of a query. */
public final class TermCollector implements TokenConsumer {
    private final List<String> names = new ArrayList<>();
    private final Taker taker;

    /** Takes what {@link TokenConsumer} takes, with strings in place of term numbers. */
    @FunctionalInterface
    public interface Taker {
        /** Takes a term and the positions of its first and last word. */
        void term(String term, TokenType kind, int from, int to);

        /** Takes the synonyms of a range of words. */
        default void synonyms(List<Lexicon.Alternative> synonyms, int from, int to) {}
    }

    public TermCollector(Taker taker) {
        this.taker = taker;
    }

    private int known(String name) {
        names.add(name);
        return names.size() - 1;
    }

    @Override
    public int known(char[] chars, int length, int hash) {
        return known(new String(chars, 0, length));
    }

    @Override
    public int negated(int term) {
        return known("!" + names.get(term));
    }

    @Override
    public boolean isQuery() {
        return true;
    }

    @Override
    public void term(int term, TokenType kind, int from, int to) {
        taker.term(names.get(term), kind, from, to);
    }

    @Override
    public void synonyms(List<Lexicon.Alternative> synonyms, int from, int to) {
        taker.synonyms(synonyms, from, to);
    }
}
