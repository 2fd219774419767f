package dev.xmem.core.text.analysis;

/** The type of a term. */
public enum TokenType {
    /** A word. */
    WORD,
    /** A part of an identifier or path. */
    PART,
    /** An identifier, path, version or code as written. */
    WHOLE,
    /** A word after a negation, written {@code !word}, in addition to the word itself. */
    NEGATED,
    /** A cause that a phrase names, written {@code #already-exists}. */
    CAUSE
}
