package dev.xmem;

/**
 * Memory at the tool call. Any thread; never throws: whatever goes wrong, also a closed store, is
 * {@link Advice.Status#UNAVAILABLE}. An interrupt is kept, not answered. The first verdict on a call id stands: a second
 * report of the same call gives the same answer and records nothing.
 *
 * <p>All calls that carry one {@link ToolCall#session(String) session} are seen together: retry pairs, votes and the user's
 * complaints are of one session. Calls without a session are answered and recorded, and no more. What a guard remembers of
 * sessions and call ids is bounded; the least used is forgotten.
 */
public interface ToolGuard {
    /**
     * A warning before the call. Touches no file and hops to no thread. It is silent unless such calls failed in two
     * sessions or more, something is known that helps or the failure is marked critical, and nothing has refuted it since.
     * Its level is {@link Failure.BlockLevel#CRITICAL} only if the failure is marked so; even then the caller decides.
     */
    Advice before(ToolCall call);

    /**
     * Recalls now, under the store's limit (50 ms by default), and records soon what is new: once a session and hour for
     * each kind of failure. {@link Advice#recordedId()} is there when the line is.
     *
     * <p>{@link Advice.Status#TRIVIAL}, and not recorded: somebody stopped the process, a search found nothing, a command
     * was mistyped, a network blip before it comes again; also an output without an exit code, or with code 0, that says
     * nothing of a failure. With code 0 that counts as {@link #succeeded}, so an adapter may hand over every output and
     * leave the decision here.
     */
    Advice failed(ToolCall call, ToolError error);

    /**
     * Closes a retry pair and votes for the advice that was followed; both happen in the background. A pair is a failure and
     * the first call of the same tool and operation with other arguments that works within ten calls: it becomes a
     * {@link Success} that {@link Success#answers() answers} the failure.
     */
    void succeeded(ToolCall call);

    /** Recalls the session's latest failure if the message says that it happened again ("this error again"). */
    Advice userSaid(String session, String message);
}
