package dev.xmem;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The guard: connects the memory to an agent's tool calls. Thread-safe. No method throws: any failure, also a closed
 * store or a null argument, gives {@link Advice.Status#UNAVAILABLE}. Interrupts are never acted on, and the interrupt
 * status is preserved. The first verdict on a call id stands: a repeated report of the call gives the same answer and
 * records nothing.
 *
 * <p>Calls with one {@link ToolCall#session(String) session} are evaluated together: retry pairs, votes and the user's
 * complaints belong to a session. Calls without a session are only answered and recorded. The guard remembers a bounded
 * number of sessions and call ids and evicts the least recently used.
 */
public interface ToolGuard {
    /**
     * Returns a warning before a call, from memory. Until the warnings are loaded, it reads the newest failures of the
     * call's tool through the index, within the same time limits as {@link #failed}. The advice is empty unless such
     * calls failed in at least two sessions, a fix is known (or the failure is marked critical), and no later call
     * contradicts it. Its level is {@link Failure.BlockLevel#CRITICAL} only if the failure is marked so. The caller
     * decides whether to stop.
     */
    Advice before(ToolCall call);

    /**
     * Returns advice after a failed call, within the guard's time limit (50 ms by default), and records the failure in
     * the background: at most once per session and hour for each kind of failure. {@link Advice#recordedId()} is null
     * until the entry is stored. The first recall of a guard may take up to 2 s, since it may have to load classes and
     * rules; see {@link #warmUp()}.
     *
     * <p>A failure whose recall comes too late is {@link Advice.Status#UNAVAILABLE}. It is recorded, and belongs to its
     * session, like any other.
     *
     * <p>Some failures are {@link Advice.Status#TRIVIAL} and not recorded: a process that the user stopped, a search
     * without hits, a mistyped command, a network error that has not recurred, and an output without exit code, or with
     * exit code 0, that shows no failure. Such an output with exit code 0 counts as {@link #succeeded} if the exit
     * code is that of the command that did the work, or if its output is visible. An adapter may report every output
     * here.
     */
    Advice failed(ToolCall call, ToolError error);

    /**
     * Returns advice on a failure that the agent itself asks about, within the same time limits as {@link #failed}, and
     * records nothing. The failure counts as one of its session, unless the calls of the session are reported to
     * {@link #failed}: then it was counted there. For a tool with which a model looks up a failure.
     */
    Advice recall(ToolCall call, ToolError error);

    /**
     * Reports a successful call. In the background it completes a retry pair and votes for the advice that was
     * followed, unless the call is a shell line whose exit code is not that of the command that did the work. A retry
     * pair is a failure and the first successful call of the same tool and operation with other arguments within ten
     * calls, if that call does the same work in another way. It is recorded as a {@link Success} that {@link
     * Success#answers() answers} the failure.
     */
    void succeeded(ToolCall call);

    /**
     * Returns advice on the last failures of a session, at most three and newest first, if the message of the user says
     * that one happened again, such as "this error again"; else empty advice.
     */
    Advice userSaid(String session, String message);

    /**
     * Returns the user's rules as the text of a page, at most seven and those that match the message first: what an
     * adapter adds to the instructions of a turn. The text begins with a line break. It is empty if there are no rules,
     * or if the memory cannot be read. This method has the time limits of a search, not those of {@link #failed}.
     */
    default String rules(String message) {
        return "";
    }

    /** One step on the way to an answer: its name, such as {@code result}, and a sentence for a user. */
    record Step(String name, String text) {}

    /**
     * Explains what {@link #before} or {@link #failed} would answer, step by step: the command that does the work, the
     * verdict on its result, the family, and the entries that are told or left out. Records nothing. Takes as long as
     * it needs. Like the other methods, it does not throw: after a failure its last step says what failed.
     *
     * @param result the result of the call; null before the call
     */
    default List<Step> explain(ToolCall call, @Nullable ToolError result) {
        return List.of();
    }

    /**
     * Loads what the calls of this guard need, and returns when it is loaded: the classes of a recall, the rules of
     * redaction and hashing, the lexicons, and the warnings of the newest 4,096 failures. Takes about half a second of
     * processor time in a process that has just started, and almost none in one that is warm. The time limit then holds
     * from the first call on.
     *
     * <p>{@link XMemStore#guard()} starts the same in the background, so a caller need not call this. Idempotent.
     */
    default void warmUp() {}

    /**
     * Waits until what the calls so far lead to is written: recorded failures, retry pairs, votes and the events of
     * shared sessions. A process that ends after one call needs it, since {@link XMemStore#close()} waits for a second
     * only. Does not sync files and does not touch {@code index.json}, so it is cheap; {@link XMemStore#flush()} does.
     *
     * @param limit how long to wait at most
     * @return whether everything is written, or was dropped and counted in {@link Stats#guardDropped()}
     */
    default boolean flush(Duration limit) {
        return true;
    }
}
