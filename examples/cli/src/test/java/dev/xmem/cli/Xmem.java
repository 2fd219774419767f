package dev.xmem.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One run of the program in this process: its exit code and what it wrote. */
record Xmem(int code, String out, String err) {
    static Xmem run(String... args) {
        return fed("", args);
    }

    static Xmem fed(String input, String... args) {
        return fed(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
    }

    static Xmem fed(InputStream input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                args,
                input,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Xmem(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    List<String> lines() {
        return out.lines().toList();
    }

    List<String> errors() {
        return err.lines().toList();
    }
}
