package dev.xmem.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** One run of the program in this JVM: its exit code and output. */
record Xmem(int code, String out, String err) {
    /** No environment variables, and directories that do not exist: a test touches only what it names. */
    private static final Environment NOWHERE =
            new Environment(Map.of(), Path.of("target", "no-home"), Path.of("target", "no-folder"), false);

    static Xmem run(String... args) {
        return fed("", args);
    }

    static Xmem fed(String input, String... args) {
        return in(NOWHERE, input, args);
    }

    static Xmem fed(InputStream input, String... args) {
        return in(NOWHERE, input, args);
    }

    static Xmem in(Environment environment, String input, String... args) {
        return in(environment, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
    }

    static Xmem in(Environment environment, InputStream input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                args,
                input,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment);
        return new Xmem(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    List<String> lines() {
        return out.lines().toList();
    }

    List<String> errors() {
        return err.lines().toList();
    }
}
