package dev.xmem.hooks;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a hook to its agent.
 *
 * @param exitCode the exit code of the hook's process: 0, except where an agent's dialect speaks by another
 * @param out the text for standard output, with its line end; empty if there is none
 * @param err the reason why there is no answer, for standard error, with its line end; empty if there is none
 * @param trace what is written about the event after it was answered; null if nothing is
 */
record HookResult(int exitCode, String out, String err, HookTrace.@Nullable Draft trace) {
    /** Nothing to say, for this reason; empty if there is none. */
    static HookResult silent(String reason) {
        return new HookResult(0, "", reason.isEmpty() ? "" : "xmem: " + reason.replaceAll("\\s+", " ") + '\n', null);
    }

    /** This text, as a line. */
    static HookResult said(int exitCode, String text) {
        return text.isEmpty() ? silent("") : new HookResult(exitCode, text + '\n', "", null);
    }

    HookResult traced(HookTrace.Draft draft) {
        return new HookResult(exitCode, out, err, draft);
    }

    /** This result where no agent hears it. */
    HookResult unheard() {
        return trace == null ? silent("") : silent("").traced(trace.unheard());
    }

    /** This result after the guard was flushed. */
    HookResult flushed(boolean written) {
        return written || trace == null ? this : traced(trace.unwritten());
    }
}
