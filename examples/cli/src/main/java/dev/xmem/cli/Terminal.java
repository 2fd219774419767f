package dev.xmem.cli;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
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

    /** All of the input. */
    String whole() throws IOException, LineException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 13];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) { // readNBytes of a file stream seeks, pipes cannot
            bytes.write(buffer, 0, n);
            if (bytes.size() > Lines.MAX_BYTES) {
                throw new LineException("the input is longer than " + Lines.MAX_BYTES + " bytes");
            }
        }
        try {
            ByteBuffer whole = ByteBuffer.wrap(bytes.toByteArray());
            String text = StandardCharsets.UTF_8.newDecoder().decode(whole).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new LineException("the input is not UTF-8");
        }
    }

    /** The input, line by line, as a person types it. */
    BufferedReader typed() {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    /** A question to whoever types. */
    void ask(String question) {
        out.flush();
        err.print(question);
        err.flush();
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

    /** Says what was understood in another way than it may be meant. */
    void notice(boolean json, String message) {
        err.println(json ? Json.object(g -> g.writeStringField("notice", message)) : "xmem: " + message);
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
