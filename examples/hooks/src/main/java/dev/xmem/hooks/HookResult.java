package dev.xmem.hooks;

/**
 * The answer of a hook to its agent.
 *
 * @param exitCode the exit code of the hook's process: 0, except where an agent's dialect speaks by another
 * @param out the text for standard output, with its line end; empty if there is none
 * @param err the reason why there is no answer, for standard error, with its line end; empty if there is none
 */
record HookResult(int exitCode, String out, String err) {
    /** Nothing to say, for this reason; empty if there is none. */
    static HookResult silent(String reason) {
        return new HookResult(0, "", reason.isEmpty() ? "" : "xmem: " + reason.replaceAll("\\s+", " ") + '\n');
    }

    /** This text, as a line. */
    static HookResult said(int exitCode, String text) {
        return text.isEmpty() ? silent("") : new HookResult(exitCode, text + '\n', "");
    }
}
