package dev.xmem.benchmarks.repeat;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A kind of task whose obvious command fails.
 *
 * @param tools the programs that must be on the PATH
 * @param task the request of the user; <code>{w}</code> and <code>{o}</code> stand for names, here and in the
 *     commands
 * @param setup creates the folder of a task in which the obvious command fails
 * @param easy creates the folder of a task in which the obvious command works
 * @param obvious the obvious command
 * @param good the fix that works
 * @param bad a fix that does not work, or does harm
 * @param done checks whether the task is done, whatever the exit codes
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
     * A possible way out of the failure.
     *
     * @param literal the text that must be in the context of the agent
     * @param advice the recorded sentence, which contains the literal
     * @param command the command: the literal with the names of the task
     */
    record Fix(String literal, String advice, String command) {
        Fix {
            if (!advice.contains(literal)) {
                throw new IllegalArgumentException("the advice does not contain \"" + literal + "\": " + advice);
            }
        }
    }

    /** Creates the folder of a task. */
    interface Setup {
        void make(Sandbox sandbox, TaskNames names) throws IOException, InterruptedException;
    }

    /** Checks the folder of a task. */
    interface Check {
        boolean passes(Sandbox sandbox, TaskNames names) throws IOException, InterruptedException;
    }

    boolean isRunnable() {
        return tools.stream().allMatch(Sandbox::has);
    }

    /** Whether a line shows the obvious command, with any names, and neither of the fixes. */
    boolean isObvious(String line) {
        String pattern = Pattern.quote(obvious).replace("{w}", "\\E\\S+\\Q").replace("{o}", "\\E\\S+\\Q");
        return Pattern.compile(pattern).matcher(line).find()
                && !line.contains(good.literal())
                && !line.contains(bad.literal());
    }

    static String substitute(String text, TaskNames names) {
        return text.replace("{w}", names.word()).replace("{o}", names.other());
    }
}
