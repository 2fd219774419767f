package dev.xmem.hooks;

/**
 * The answer of a hook to its agent.
 *
 * @param exitCode the exit code of the hook's process: 0, except where an agent's dialect speaks by another
 * @param out the text for standard output, without a line end; empty if there is none
 * @param err the reason why there is no answer, for standard error, without a line end; empty if there is none
 */
public record HookResult(int exitCode, String out, String err) {
    /** Nothing to say, for this reason; empty if there is none. */
    static HookResult silent(String reason) {
        return new HookResult(0, "", reason.isEmpty() ? "" : "xmem: " + reason.replaceAll("\\s+", " "));
    }
}
