package dev.xmem.core.text.analysis;

/** What a term stands for. */
public enum TokenType {
    /** A word of its own. */
    WORD,
    /** A piece of an identifier or path. */
    PART,
    /** An identifier, path, version or code as it was written. */
    WHOLE,
    /** A word that follows a negation, written {@code !word}. The word itself is a term as well. */
    NEGATED,
    /** A cause that one or several words name, written {@code #already-exists}. */
    CAUSE
}
