package dev.xmem;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Receives what the guard of a store answers and what it learns, for metrics and traces. Every method does nothing by
 * default. Implementations are thread-safe and return at once: they are called on the thread of the guarded call,
 * outside the guard's time limit. What they throw is logged and dropped.
 *
 * @since 0.1
 */
@Incubating
public interface GuardListener {
    /** The method of {@link ToolGuard} that was called. */
    enum Question {
        /** {@link ToolGuard#before}. */
        BEFORE,
        /** {@link ToolGuard#failed}, also for a result that turns out to be no failure. */
        FAILED,
        /** {@link ToolGuard#recall}. */
        RECALL,
        /** {@link ToolGuard#userSaid}. */
        USER_SAID
    }

    /**
     * Reports an answer, before the caller receives it.
     *
     * @param call the call as the caller gave it, not redacted; null for {@link Question#USER_SAID}
     * @param took how long the guard took
     */
    default void answered(Question question, @Nullable ToolCall call, Advice advice, Duration took) {}

    /**
     * Reports a vote on advice: a call followed it. Called on a background thread, once the vote is written; a second
     * vote of a session on an entry is none. Not called for entries of other layers ({@link Layer}): their own store
     * writes those votes later, or drops them.
     *
     * @param entryId the id of the entry whose advice was followed
     * @param outcome whether the call then worked
     */
    default void followed(String entryId, Outcome outcome) {}
}
