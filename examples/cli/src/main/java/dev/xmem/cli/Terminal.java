package dev.xmem.cli;

import dev.xmem.core.XMem;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The streams of one run, and how answers and errors are written to them: UTF-8, one line each. */
final class Terminal {
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private @Nullable BufferedReader userInput;

    Terminal(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    InputLines lines() {
        return new InputLines(in);
    }

    /** Reads the whole input. */
    String readAll() throws IOException, LineException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 13];
        // not readNBytes: FileInputStream.readNBytes seeks, which fails on a pipe
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            bytes.write(buffer, 0, n);
            if (bytes.size() > InputLines.MAX_BYTES) {
                throw new LineException("the input is longer than " + InputLines.MAX_BYTES + " bytes");
            }
        }
        try {
            ByteBuffer buffered = ByteBuffer.wrap(bytes.toByteArray());
            String text = StandardCharsets.UTF_8.newDecoder().decode(buffered).toString();
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        } catch (CharacterCodingException e) {
            throw new LineException("the input is not UTF-8");
        }
    }

    /** Reads the next line that a user types; null at the end of the input. */
    @Nullable String readTyped() throws IOException {
        if (userInput == null) {
            userInput = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        }
        return userInput.readLine();
    }

    /** Prints a question to the user on stderr. */
    void ask(String question) {
        out.flush();
        err.print(question);
        err.flush();
    }

    /** The text without invisible characters. Tabs stay, because a diff of settings has them. */
    private static String visible(String text) {
        return Stream.of(text.split("\t", -1)).map(XMem::visible).collect(Collectors.joining("\t"));
    }

    /** Standard output, for bytes of another program. */
    PrintStream rawOut() {
        return out;
    }

    /** Standard error, for bytes of another program. */
    PrintStream rawErr() {
        return err;
    }

    /** Writes an answer without invisible characters; buffered until {@link #flush()}. */
    void answer(String given) {
        boolean json = given.startsWith("{") || given.startsWith("[");
        String text = json ? XMem.visibleJson(given) : visible(given);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        if (!text.endsWith("\n")) {
            out.write('\n');
        }
    }

    /** Writes an answer that this program made for a terminal: its stored texts are visible, its colours stay. */
    void styled(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
    }

    /** Writes all buffered answers to the output. */
    void flush() throws Closed {
        if (out.checkError()) {
            throw new Closed();
        }
    }

    /** Reports a refused input line. */
    void refused(long line, String error) {
        err.println(JsonText.object(g -> {
            g.writeNumberField("line", line);
            g.writeStringField("error", error);
        }));
    }

    /** Reports input lines of which it is not known whether they are stored. */
    void unanswered(long first, long last) {
        err.println(JsonText.object(g -> {
            g.writeNumberField("line", first);
            g.writeNumberField("to", last);
            g.writeStringField(
                    "error",
                    "no answer: none, some or all of these lines are stored, the first ones first; later lines are not");
        }));
    }

    /** Reports the error that ends the program. */
    void error(boolean json, String message) {
        out.flush();
        err.println(json ? JsonText.object(g -> g.writeStringField("error", message)) : "xmem: " + message);
    }

    /** Reports a notice: the input was accepted, but not exactly as written. */
    void notice(boolean json, String message) {
        err.println(json ? JsonText.object(g -> g.writeStringField("notice", message)) : "xmem: " + message);
    }

    /** Reports progress. */
    void progress(boolean json, String message) {
        err.println(json ? JsonText.object(g -> g.writeStringField("progress", message)) : "xmem: " + message);
    }

    /** The reader of standard output has closed it. */
    static final class Closed extends IOException {
        private static final long serialVersionUID = 1L;

        Closed() {
            super("the output is closed");
        }
    }
}
