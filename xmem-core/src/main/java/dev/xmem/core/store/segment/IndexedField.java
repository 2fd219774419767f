package dev.xmem.core.store.segment;

/** The fields that lines are looked up by. Their order is part of the segment format: see {@link SectionIds#of}. */
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
    /** The entry that an outcome or an amendment is about. */
    TARGET,
    /** An id that a line covers. */
    COVERED,
    /** Outcomes and amendments, all under the empty key. */
    EVENT,
    /** Successes that their own line proves, under the empty key; failures with a lesson, under {@link #LESSON}. */
    PROVEN,
    /** The context hash that the hasher in use gives, where it differs from the line's. */
    CURRENT_HASH;

    /** The key of failures with a lesson. */
    public static final String LESSON = "lesson";
}
