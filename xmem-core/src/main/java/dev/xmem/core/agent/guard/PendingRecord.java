package dev.xmem.core.agent.guard;

import org.jspecify.annotations.Nullable;

/** A failure on its way into the store: it has an id once it is there. Thread-safe. */
final class PendingRecord {
    private volatile @Nullable String id;

    /** The id; null as long as it is not written. */
    @Nullable String id() {
        return id;
    }

    void writtenAs(String given) {
        id = given;
    }
}
