package dev.xmem.benchmarks.repeat;

import java.io.IOException;
import java.util.List;

/**
 * A kind of task that goes wrong if it is done as one would think.
 *
 * @param tools what has to be on the PATH
 * @param task what the user types for; <code>{w}</code> and <code>{o}</code> stand for names, here and in the commands
 * @param setting makes the folder of a task in which the obvious command fails
 * @param easy makes one in which it works
 * @param obvious the command that one thinks of first
 * @param good what helps
 * @param bad what does not help, or does harm
 * @param done tells whether the task is done, whatever the exit codes were
 */
record Scenario(
        String name,
        List<String> tools,
        String task,
        Setup setup,
        Setup easy,
        String obvious,
        Fix good,
        Fix bad,
        Check done) {

    /**
     * Something an agent could do, if it only knew.
     *
     * @param literal the text that has to be in the agent's context
     * @param advice the sentence that somebody wrote down, which has the literal in it
     * @param command the command, which is the literal with the names of the task
     */
    record Fix(String literal, String advice, String command) {
        Fix {
            if (!advice.contains(literal)) {
                throw new IllegalArgumentException(advice + " has no " + literal);
            }
        }
    }

    /** Makes the folder of a task. */
    interface Setup {
        void make(Sandbox sandbox, TaskNames names) throws IOException, InterruptedException;
    }

    /** Looks into the folder of a task. */
    interface Check {
        boolean passes(Sandbox sandbox, TaskNames names) throws IOException, InterruptedException;
    }

    boolean isRunnable() {
        return tools.stream().allMatch(Sandbox::has);
    }

    static String substitute(String text, TaskNames names) {
        return text.replace("{w}", names.word()).replace("{o}", names.other());
    }
}
