package dev.xmem.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The streams of one run, and the form in which answers and errors are written to them: UTF-8, one line each. */
final class Terminal {
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    Terminal(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    Lines lines() {
        return new Lines(in);
    }

    /** An answer, held back until {@link #flush()}. */
    void answer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        if (!text.endsWith("\n")) {
            out.write('\n');
        }
    }

    /** Hands over all answers so far. */
    void flush() throws Closed {
        if (out.checkError()) {
            throw new Closed();
        }
    }

    /** Names a line of the input that was refused. */
    void refused(long line, String error) {
        err.println(Json.object(g -> {
            g.writeNumberField("line", line);
            g.writeStringField("error", error);
        }));
    }

    /** Says why the program ends. */
    void error(boolean json, String message) {
        out.flush();
        err.println(json ? Json.object(g -> g.writeStringField("error", message)) : "xmem: " + message);
    }

    /** Says that the program is still at work. */
    void progress(boolean json, String message) {
        err.println(json ? Json.object(g -> g.writeStringField("progress", message)) : "xmem: " + message);
    }

    /** Whoever read the answers has gone. */
    static final class Closed extends IOException {
        private static final long serialVersionUID = 1L;

        Closed() {
            super("the output is closed");
        }
    }
}
