package dev.xmem.benchmarks.repeat;

import java.util.List;

/** How the agent writes its commands in one task. All but {@link #PLAIN} hide the exit code. */
enum CallHabit {
    PLAIN("%s"),
    TAIL("%s 2>&1 | tail -3"),
    OR_TRUE("%s || true"),
    ECHO("%s; echo finished");

    private static final int TAIL_LINES = 3;

    private final String form;

    CallHabit(String form) {
        this.form = form;
    }

    String command(String plain) {
        return String.format(form, plain);
    }

    /** Returns the result of the plain command as this form of it shows it. */
    Sandbox.Result result(Sandbox.Result plain) {
        List<String> lines = plain.output().lines().toList();
        return switch (this) {
            case PLAIN -> plain;
            case TAIL ->
                new Sandbox.Result(
                        plain.code(),
                        String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())),
                        0);
            case OR_TRUE -> new Sandbox.Result(plain.code(), plain.output(), 0);
            case ECHO -> new Sandbox.Result(plain.code(), plain.output() + "finished\n", 0);
        };
    }
}
