package dev.xmem.core.store.terms;

/** Numbers terms from 0 on. */
public interface TermIds {
    /** The number of a term; the next free one if the term is new. */
    int number(char[] chars, int length, int hash);

    /** Copies the characters of a term into an array; returns their number. */
    int copy(int term, char[] into, int at);
}
