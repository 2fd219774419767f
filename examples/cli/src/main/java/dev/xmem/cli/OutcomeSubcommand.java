package dev.xmem.cli;

import dev.xmem.Outcome;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem outcome}: reports whether the advice of an entry worked. */
@Command(
        name = "outcome",
        description = {
            "Reports whether the advice of a failure or a success worked, failed or was irrelevant. Each"
                    + " session has one vote per entry; further votes are not counted."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  xmem outcome 2026-02-14-002 worked --session monday",
            "The exit code is 1 if no entry has the id or the entry has no advice."
        })
final class OutcomeSubcommand extends Subcommand {
    @Parameters(index = "0", paramLabel = "ID", description = "The id of the entry, or a unique prefix of it.")
    String id = "";

    @Parameters(index = "1", paramLabel = "OUTCOME", description = "worked, failed or irrelevant.")
    String outcome = "";

    @Option(
            names = "--session",
            required = true,
            paramLabel = "SESSION",
            description = "The session that followed the advice.")
    String session = "";

    @Override
    public Integer call() throws IOException {
        Outcome given = given();
        try (XMemStore store = root.stores().openWithDirectives()) {
            boolean counted = BusyRetry.call(() -> store.reportOutcome(id, given, session));
            String text = counted ? "Counted." : "Not counted: this session has already voted on this entry.";
            return answer(root.json ? JsonText.object(g -> g.writeBooleanField("counted", counted)) : text);
        } catch (XMemException.Invalid | XMemException.AmbiguousId e) {
            return refused(e);
        }
    }

    private Outcome given() {
        try {
            return Outcome.valueOf(outcome.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UsageException("OUTCOME must be worked, failed or irrelevant, not \"" + outcome + "\"");
        }
    }
}
