package dev.xmem;

/** An entry in an answer, and why it is there. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface Match {
    /** The entry. */
    Entry entry();

    /** In which way it matches. */
    MatchType matchType();

    /** How well it matches: higher is better, comparable within one answer only; 0 where only filters were asked. */
    double score();

    /** One sentence for a person who wonders why this is shown. */
    String explanation();

    /** In which way an entry matches. */
    enum MatchType {
        /** Same context hash, or the text literally. */
        EXACT,
        /** Like it, by words or by tool and operation. */
        SIMILAR,
        /** A success that answers a matching failure. */
        ANSWER,
        /** It passed the filters. */
        FILTER
    }
}
