package dev.xmem;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report of one round of synchronization ({@link XMemStore#sync}), or of all rounds since the store was opened
 * ({@link Stats#sync}). Immutable and thread-safe; implemented only by xmem, methods may be added.
 */
public interface SyncReport {
    /** Returns the name of the backend. */
    String backend();

    /** Returns the replica id of this store, 32 hexadecimal digits; empty before the first round. */
    String replica();

    /** Returns the number of published lines. */
    int published();

    /** Returns the number of imported lines. */
    int imported();

    /** Returns the number of own lines that are not published yet. */
    int pending();

    /** Returns how long the oldest unpublished line has been waiting; zero if there is none. */
    Duration lag();

    /** Returns the time of the last successful round; null if there is none. */
    @Nullable Instant lastSuccess();

    /** Returns what ended the last round that failed; null if none did. */
    @Nullable String lastError();

    /** Returns one sentence for each thing at the backend that was rejected, such as a line that is not an entry. */
    List<String> refused();

    /**
     * Returns the streams of other replicas that are not read on until something changes. {@link #refused} names them,
     * too.
     */
    List<Unread> unread();

    /** A stream of another replica that is not read on. Implemented only by xmem, methods may be added. */
    interface Unread {
        /** Returns the replica id of the owner. */
        String replica();

        /** Returns the name of the stream, such as {@code failures}. */
        String stream();

        /** Returns why it is not read. */
        Reason reason();

        /** Returns one sentence that says what was left out, and what to do. */
        String text();
    }

    /** Why a stream is not read on. */
    enum Reason {
        /**
         * It would exceed {@link Limits#peerBytes}, {@link Limits#importBytes}, {@link Limits#storeBytes}, 512 streams
         * of a replica or 4,096 replicas. It is read again from its beginning when there is room, or when its owner
         * replaces it.
         */
        LIMIT,
        /** It has no complete line where one is expected. It is read again when its file changes. */
        NO_LINE
    }
}
