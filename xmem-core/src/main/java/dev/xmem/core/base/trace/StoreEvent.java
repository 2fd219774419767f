package dev.xmem.core.base.trace;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a store as a JFR event: it begins with the constructor and ends with {@link #done}. An operation
 * that fails is not recorded. While JFR is not running, no event class is loaded: the first one costs tens of
 * milliseconds.
 */
public final class StoreEvent {
    private final JfrEvents.@Nullable RecordedEvent event;

    /** The operations that are recorded. */
    public enum Operation {
        APPEND,
        COMPACTION,
        INDEX_FILE,
        RECALL,
        SEARCH,
        SEGMENT,
        SYNC
    }

    public StoreEvent(Operation operation) {
        this.event = FlightRecorder.isInitialized() ? JfrEvents.begin(operation) : null;
    }

    /** Ends an operation that has no result to record. */
    public void done() {
        done(0);
    }

    /** Ends an operation; the count is the event's field {@code entries} or {@code removed}. */
    public void done(long count) {
        done("", count, count);
    }

    /** Ends a search. */
    public void done(String mode, long count, long total) {
        JfrEvents.RecordedEvent ended = event;
        if (ended != null) {
            ended.result(mode, count, total);
            ended.commit();
        }
    }
}
