package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.IOException;

/** Reads requests from standard input and writes their responses to standard output. Stateless. */
final class LineLoop {
    private LineLoop() {}

    /** Handles one request. */
    interface Handler {
        String answer(String request) throws LineException;
    }

    /**
     * Handles requests, one per line. A refused one is reported on stderr.
     *
     * @param answersAll whether a refused request gets a response, the error, so that the n-th response belongs to the
     *     n-th request, and each response is written at once
     * @return the exit code
     */
    static int run(Terminal terminal, String command, boolean answersAll, Handler handler) throws IOException {
        InputLines lines = terminal.lines();
        int code = Main.OK;
        try (ProgressReporter progress = ProgressReporter.of(terminal, command, true)) {
            for (InputLines.Line line = lines.next(); line != null; line = lines.next()) {
                try {
                    terminal.answer(handler.answer(line.textOrThrow()));
                } catch (LineException | XMemException.Syntax e) {
                    code = Main.REFUSED;
                    if (answersAll) {
                        terminal.answer(error(String.valueOf(e.getMessage())));
                    }
                    terminal.refused(line.number(), String.valueOf(e.getMessage()));
                }
                if (answersAll || !lines.ready()) {
                    terminal.flush();
                }
                progress.lines(line.number());
            }
        }
        terminal.flush();
        return code;
    }

    /**
     * Handles the whole input as one request. An error is a response too, because the calling agent reads only standard
     * output.
     *
     * @return the exit code
     */
    static int single(Terminal terminal, Handler handler) throws IOException {
        String text;
        int code = Main.OK;
        try {
            text = handler.answer(terminal.readAll());
        } catch (LineException | UsageException | XMemException e) {
            code = Main.REFUSED;
            text = error(String.valueOf(e.getMessage()).strip());
        }
        terminal.answer(text);
        terminal.flush();
        return code;
    }

    private static String error(String message) {
        return JsonText.object(g -> g.writeStringField("error", message));
    }
}
