package dev.xmem.core.store.terms;

/** Numbers terms from 0 on. */
public interface TermIds {
    /** The number of a term, the next one if it is new. */
    int number(char[] chars, int length, int hash);

    /** Puts the characters of a term into an array; returns how many there are. */
    int copy(int term, char[] into, int at);
}
