package dev.xmem.cli;

import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code xmem hash}: which family each event belongs to. */
@Command(
        name = "hash",
        description = {
            "Adds ctx_hash and subject to events, one JSON object a line; the other fields stay as they are.",
            "An event has tool, action and error, and may have exit_code; a success has pattern_name instead of error,"
                    + " and may have key_steps and signature. No store is needed."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  echo '{\"tool\":\"npm\",\"action\":\"install left-pad\",\"error\":\"npm ERR! connect ETIMEDOUT\"}' | xmem hash",
            "A line that is no such object is named on stderr and left out; the exit code is then 1."
        })
final class HashCommand implements Callable<Integer> {
    private final Root root;

    HashCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Terminal terminal = root.terminal();
        ContextHasher hasher = XMem.hasher();
        Lines lines = terminal.lines();
        int code = Main.OK;
        try (Progress progress = Progress.of(terminal, "hash", true)) {
            for (Lines.Line line = lines.next(); line != null; line = lines.next()) {
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

    private static String hashed(ContextHasher hasher, Lines.Line line) throws LineException {
        Event event = Event.of(line.checked());
        ContextHash hash = hasher.hash(event.hashInput());
        return event.with(hash.value(), hash.subject());
    }
}
