package dev.xmem.cli;

import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code xmem hash}: adds the context hash of each event. */
@Command(
        name = "hash",
        description = {
            "Adds ctx_hash and subject to events, one JSON object per line; all other fields stay as they" + " are.",
            "An event has tool, action and error, and may have exit_code; a success has pattern_name instead"
                    + " of error, and may have key_steps and signature. Needs no store."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  echo '{\"tool\":\"npm\",\"action\":\"install left-pad\",\"error\":\"npm ERR! connect ETIMEDOUT\"}' | xmem hash",
            "An invalid line is reported on stderr and left out; the exit code is then 1."
        })
final class HashSubcommand extends Subcommand {
    @Override
    public Integer call() throws IOException {
        Terminal terminal = root.terminal();
        ContextHasher hasher = XMem.hasher();
        InputLines lines = terminal.lines();
        int code = Main.OK;
        try (ProgressReporter progress = ProgressReporter.of(terminal, "hash", true)) {
            for (InputLines.Line line = lines.next(); line != null; line = lines.next()) {
                try {
                    terminal.answer(hashed(hasher, line));
                } catch (LineException e) {
                    code = Main.REFUSED;
                    terminal.refused(line.number(), String.valueOf(e.getMessage()));
                }
                if (!lines.ready()) {
                    terminal.flush();
                }
                progress.lines(line.number());
            }
        }
        terminal.flush();
        return code;
    }

    private static String hashed(ContextHasher hasher, InputLines.Line line) throws LineException {
        EventLine event = EventLine.of(line.textOrThrow());
        ContextHash hash = hasher.hash(event.hashInput());
        return event.with(hash.value(), hash.subject());
    }
}
