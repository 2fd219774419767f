package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.IOException;

/** One JSON object on standard input, one on standard output. A mistake is answered there too: an agent reads no more. */
final class Exchange {
    private Exchange() {}

    static int once(Terminal terminal, Answers.Answer answer) throws IOException {
        String text;
        int code = Main.OK;
        try {
            text = answer.to(terminal.whole());
        } catch (LineException | UsageException | XMemException e) {
            code = Main.REFUSED;
            String error = String.valueOf(e.getMessage()).strip();
            text = Json.object(g -> g.writeStringField("error", error));
        }
        terminal.answer(text);
        terminal.flush();
        return code;
    }
}
