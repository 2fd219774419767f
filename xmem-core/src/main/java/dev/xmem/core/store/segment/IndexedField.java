package dev.xmem.core.store.segment;

/** What lines are looked up by. The order is that of the sections in a segment and part of its format. */
public enum IndexedField {
    /** The id in the line. */
    ID,
    /** The tool, in lower case. */
    TOOL,
    /** A tag, in lower case. */
    TAG,
    /** The context hash. */
    HASH,
    /** A session, the line's own or one of those it covers. */
    SESSION,
    /** The type. */
    TYPE,
    /** The dedupe key of a directive. */
    DEDUPE_KEY,
    /** A failure that a success answers. */
    ANSWERED,
    /** An entry that an outcome or an amendment speaks of. */
    TARGET,
    /** An id that a line covers. */
    COVERED,
    /** The empty key: outcomes and amendments. */
    EVENT,
    /** The empty key: successes whose own line proves them. */
    PROVEN,
    /** The context hash that the hasher in use gives, where that is another than the line's. */
    CURRENT_HASH
}
