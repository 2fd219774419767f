package dev.xmem;

import org.jspecify.annotations.Nullable;

/** What a round of synchronisation did. Immutable, thread-safe; implemented only by xmem, methods may be added. */
public interface SyncReport {
    /** Lines published. */
    int published();

    /** Lines imported. */
    int imported();

    /** Own lines that are not published yet. */
    int pending();

    /** What went wrong last; null if nothing did. */
    @Nullable String lastError();
}
