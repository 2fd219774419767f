package dev.xmem.core.words;

/** One term that the analyser found. The analyser has one such object and uses it again: it holds during the call only. */
final class Token {
    char[] chars = {};
    int length;
    int hash;
    TermKind kind = TermKind.WORD;
    /** Position of the first word that the term covers, counted in words from the beginning of the text. */
    int from;
    /** Position of the last. */
    int to;

    Token is(char[] term, int termLength, int termHash) {
        chars = term;
        length = termLength;
        hash = termHash;
        return this;
    }

    Token at(TermKind termKind, int first, int last) {
        kind = termKind;
        from = first;
        to = last;
        return this;
    }

    @Override
    public String toString() {
        return new String(chars, 0, length);
    }
}
