package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.IOException;

/**
 * Reads one JSON object from standard input and writes one to standard output. Errors go to standard output too,
 * because the calling agent reads only that.
 */
final class SingleRequest {
    private SingleRequest() {}

    static int run(Terminal terminal, LineLoop.Handler handler) throws IOException {
        String text;
        int code = Main.OK;
        try {
            text = handler.answer(terminal.readAll());
        } catch (LineException | UsageException | XMemException e) {
            code = Main.REFUSED;
            String error = String.valueOf(e.getMessage()).strip();
            text = JsonText.object(g -> g.writeStringField("error", error));
        }
        terminal.answer(text);
        terminal.flush();
        return code;
    }
}
