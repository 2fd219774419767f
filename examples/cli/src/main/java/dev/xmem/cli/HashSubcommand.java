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
        ContextHasher hasher = XMem.hasher();
        return LineLoop.run(root.terminal(), "hash", false, line -> {
            EventLine event = EventLine.of(line);
            ContextHash hash = hasher.hash(event.hashInput());
            return event.with(hash.value(), hash.subject());
        });
    }
}
