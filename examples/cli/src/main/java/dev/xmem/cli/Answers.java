package dev.xmem.cli;

import dev.xmem.XMemException;
import java.io.IOException;

/** Questions, one a line, each answered by exactly one line, so that the n-th answer belongs to the n-th question. */
final class Answers {
    private final Terminal terminal;
    private final String command;

    Answers(Terminal terminal, String command) {
        this.terminal = terminal;
        this.command = command;
    }

    /** Answers one question. */
    interface Answer {
        String to(String line) throws LineException;
    }

    /** Answers all; a question that is refused gets an error as its answer, and is named on stderr. */
    int all(Answer answer) throws IOException {
        Lines lines = terminal.lines();
        int code = Main.OK;
        try (Progress progress = Progress.of(terminal, command, true)) {
            for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
                try {
                    terminal.answer(answer.to(line.checked()));
                } catch (LineException | XMemException.Syntax e) {
                    code = Main.REFUSED;
                    String error = String.valueOf(e.getMessage());
                    terminal.answer(Json.object(g -> g.writeStringField("error", error)));
                    terminal.refused(line.number(), error);
                }
                terminal.flush();
                progress.lines(line.number());
            }
        }
        return code;
    }
}
