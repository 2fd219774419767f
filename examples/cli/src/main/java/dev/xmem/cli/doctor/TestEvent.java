package dev.xmem.cli.doctor;

import dev.xmem.hooks.HookTrace;
import java.io.IOException;
import java.util.List;

/** Sends an event that has no effect through an installed command line, as the agent would. */
final class TestEvent {
    private static final String NAME = HookTrace.TEST_EVENT;

    private static final long LIMIT_MILLIS = 20_000;
    /** Agents give up on a hook after ten seconds, and people notice much less. */
    private static final long SLOW_MILLIS = 5000;

    private TestEvent() {}

    static Finding send(HookCommand command, Place place) {
        String link = command.agent() + " test event";
        String name = command.agent().equals("vscode") ? "hookEventName" : "hook_event_name";
        String event = "{\"" + name + "\": \"" + NAME + "\", \"session_id\": \"" + NAME + "\"}";
        ShellRun run;
        try {
            run = ShellRun.of(List.of("/bin/sh", "-c", command.line()), place, event, LIMIT_MILLIS);
        } catch (IOException e) {
            return Finding.problem(link, "cannot be sent: " + e.getMessage(), "check that /bin/sh can be run");
        }
        String advice = "run by hand: echo '" + event + "' | " + command.line();
        if (run.exitCode() < 0) {
            return Finding.problem(link, "was not answered within " + LIMIT_MILLIS / 1000 + " s", advice);
        }
        if (run.exitCode() != 0 || !run.err().contains("no effect of the event \"" + NAME + '"')) {
            String said = run.err().isEmpty() ? run.out() : run.err();
            return Finding.problem(
                    link,
                    "exit code " + run.exitCode() + (said.isEmpty() ? ", no output" : ": " + said),
                    said.isEmpty() ? advice : "correct this, then " + advice);
        }
        String text = "answered in " + run.millis() + " ms";
        return run.millis() <= SLOW_MILLIS
                ? Finding.ok(link, text)
                : Finding.warning(link, text, "keep a resident running, for example by xmem serve");
    }
}
