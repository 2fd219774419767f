package dev.xmem.cli;

import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem purge}: entries erased for good. */
@Command(
        name = "purge",
        description = {
            "Erases entries: their lines in logs, archives and quarantine, the lines that cover them, and what was said of"
                    + " them. There is no way back.",
            "The exit code is 1 where no line had one of the ids."
        },
        footerHeading = "%nExample:%n",
        footer = {"  xmem purge --backups 2026-02-14-001"})
final class PurgeCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(paramLabel = "ID", arity = "1..*", description = "Whole ids, as search shows them.")
    List<String> ids = List.of();

    @Option(names = "--backups", description = "From all backups too.")
    boolean backups;

    PurgeCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        int gone;
        try (XMemStore store = root.stores().changing()) {
            gone = Patience.until(() -> store.purge(new LinkedHashSet<>(ids), backups));
        }
        root.terminal()
                .answer(
                        root.json
                                ? Json.object(g -> g.writeNumberField("gone", gone))
                                : Plural.of(gone, "line") + (gone == 1 ? " is gone" : " are gone"));
        root.terminal().flush();
        return gone > 0 ? Main.OK : Main.REFUSED;
    }
}
