package dev.xmem.agentscope;

/** Ends an agent's loop: a tool call failed again and again, unchanged and in the same way. */
public final class RepeatedFailureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RepeatedFailureException(String tool, int repeats) {
        super("the tool " + tool + " failed " + repeats
                + " times in this session with the same call and the same error");
    }
}
