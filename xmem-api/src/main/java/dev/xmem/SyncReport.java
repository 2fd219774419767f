package dev.xmem;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one round of synchronisation did ({@link XMemStore#sync}), or all of them since the store was opened ({@link
 * Stats#sync}). Immutable, thread-safe; implemented only by xmem, methods may be added.
 */
public interface SyncReport {
    /** The backend's name. */
    String backend();

    /** Who this store is for others: 32 hexadecimal digits; empty before the first round. */
    String replica();

    /** Lines published. */
    int published();

    /** Lines imported. */
    int imported();

    /** Own lines that are not published yet. */
    int pending();

    /** For how long own lines have been waiting; zero if none does. */
    Duration lag();

    /** When a round last went well; null if none did. */
    @Nullable Instant lastSuccess();

    /** What went wrong last; null if nothing did. */
    @Nullable String lastError();

    /** What was found at the backend and left out, a sentence each: lines that are no entries, files that lead elsewhere. */
    List<String> refused();
}
