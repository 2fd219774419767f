package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.IOException;

/**
 * Reads requests, one per line, and writes exactly one line of response for each, so that the n-th response belongs to
 * the n-th request.
 */
final class LineLoop {
    private final Terminal terminal;
    private final String command;

    LineLoop(Terminal terminal, String command) {
        this.terminal = terminal;
        this.command = command;
    }

    /** Handles one request. */
    interface Handler {
        String answer(String line) throws LineException;
    }

    /** Handles all requests. A refused request gets an error as its response and is also reported on stderr. */
    int run(Handler handler) throws IOException {
        InputLines lines = terminal.lines();
        int code = Main.OK;
        try (ProgressReporter progress = ProgressReporter.of(terminal, command, true)) {
            for (InputLines.Line line = lines.next(); line != null; line = lines.next()) {
                try {
                    terminal.answer(handler.answer(line.textOrThrow()));
                } catch (LineException | XMemException.Syntax e) {
                    code = Main.REFUSED;
                    String error = String.valueOf(e.getMessage());
                    terminal.answer(JsonText.object(g -> g.writeStringField("error", error)));
                    terminal.refused(line.number(), error);
                }
                terminal.flush();
                progress.lines(line.number());
            }
        }
        return code;
    }
}
