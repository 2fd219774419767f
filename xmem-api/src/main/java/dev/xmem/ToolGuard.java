package dev.xmem;

/**
 * Memory at the tool call. Any thread; never throws; an interrupt is kept, not answered. The first verdict on a call id
 * stands: a second report of the same call gives the same answer and records nothing.
 */
public interface ToolGuard {
    /** A warning before the call, if something critical is known. Touches no file and hops to no thread. */
    Advice before(ToolCall call);

    /** Recalls now, records soon. The same call id again: the same answer, no second line. */
    Advice failed(ToolCall call, ToolError error);

    /** Closes a retry pair and votes for the advice that was followed. */
    void succeeded(ToolCall call);

    /** Recalls when a user says that it happened again ("this error again"). */
    Advice userSaid(String session, String message);
}
