package dev.xmem;

/**
 * A hit: an entry with its score and explanation. Immutable and thread-safe; implemented only by xmem, methods may be
 * added.
 */
public interface Match {
    /** Returns the entry. */
    Entry entry();

    /** Returns the type of the match. */
    MatchType matchType();

    /** Returns the score: higher is better, comparable within one answer only; 0 if the query has only filters. */
    double score();

    /** Returns one sentence that explains to a user why the entry matches. */
    String explanation();

    /** Returns whose memory the entry is from. */
    default Layer layer() {
        return Layer.PROJECT;
    }

    /** The type of a match. */
    enum MatchType {
        /** The same context hash, which tells a cause, or the literal text. */
        EXACT,
        /** Similar by its words, or by tool and operation; also one with the same hash if that tells no cause. */
        SIMILAR,
        /** A success that answers a matching failure. */
        ANSWER,
        /** The entry passed the filters of a query without text. */
        FILTER
    }
}
