package dev.xmem.cli;

import dev.xmem.Outcome;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem outcome}: whether the advice of an entry worked. */
@Command(
        name = "outcome",
        description = {
            "Says whether the advice of a failure or a success worked, failed, or was irrelevant. A session has one vote"
                    + " an entry; a second one counts nothing and is answered so."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  xmem outcome 2026-02-14-002 worked --session monday",
            "An entry that is not there, or has no advice, is refused with exit code 1."
        })
final class OutcomeCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(index = "0", paramLabel = "ID", description = "The entry, or the beginning of its id.")
    String id = "";

    @Parameters(index = "1", paramLabel = "OUTCOME", description = "worked, failed or irrelevant.")
    String outcome = "";

    @Option(names = "--session", required = true, paramLabel = "SESSION", description = "The session that followed it.")
    String session = "";

    OutcomeCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Outcome given = given();
        try (XMemStore store = root.stores().promoting()) {
            boolean counted = Patience.until(() -> store.reportOutcome(id, given, session));
            root.terminal()
                    .answer(
                            root.json
                                    ? Json.object(g -> g.writeBooleanField("counted", counted))
                                    : counted
                                            ? "Noted."
                                            : "This session has voted on this entry already; nothing was written.");
            root.terminal().flush();
            return Main.OK;
        } catch (XMemException.Invalid | XMemException.AmbiguousId e) {
            root.terminal().error(root.json, String.valueOf(e.getMessage()));
            return Main.REFUSED;
        }
    }

    private Outcome given() {
        try {
            return Outcome.valueOf(outcome.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new UsageException("an outcome is worked, failed or irrelevant, not \"" + outcome + "\"");
        }
    }
}
