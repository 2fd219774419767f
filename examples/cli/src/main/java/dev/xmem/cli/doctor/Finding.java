package dev.xmem.cli.doctor;

/**
 * What was found at one link of an installation.
 *
 * @param link the link, such as {@code java} or {@code claude settings}
 * @param text what was found
 * @param advice what to do; empty if there is nothing to do
 */
public record Finding(Level level, String link, String text, String advice) {
    /** How bad a finding is. */
    public enum Level {
        OK,
        /** It works, but not as well as it could, or it cannot be checked. */
        WARNING,
        /** The memory misses events, or its advice does not reach the agent. */
        PROBLEM
    }

    static Finding ok(String link, String text) {
        return new Finding(Level.OK, link, text, "");
    }

    static Finding warning(String link, String text, String advice) {
        return new Finding(Level.WARNING, link, text, advice);
    }

    static Finding problem(String link, String text, String advice) {
        return new Finding(Level.PROBLEM, link, text, advice);
    }
}
