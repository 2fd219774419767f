package dev.xmem.core.text.analysis;

import java.util.ArrayList;
import java.util.List;

/** Hands terms over by their names: for the few of a request. */
public final class TermCollector implements TokenConsumer {
    private final List<String> names = new ArrayList<>();
    private final Taker taker;

    /** Takes what the analyser finds, as {@link TokenConsumer} does, but for numbers. */
    @FunctionalInterface
    public interface Taker {
        /** One term, from the position of one word to that of another. */
        void term(String term, TokenType kind, int from, int to);

        /** What words mean too. */
        default void synonyms(Synonyms synonyms, int from, int to) {}
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
    public boolean isRequest() {
        return true;
    }

    @Override
    public void term(int term, TokenType kind, int from, int to) {
        taker.term(names.get(term), kind, from, to);
    }

    @Override
    public void synonyms(Synonyms synonyms, int from, int to) {
        taker.synonyms(synonyms, from, to);
    }
}
