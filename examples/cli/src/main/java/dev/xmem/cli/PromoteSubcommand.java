package dev.xmem.cli;

import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code xmem promote}: turns a proven success into a rule. */
@Command(
        name = "promote",
        description = {
            "Makes a rule of a success that was used at least five times with a confidence of at least 0.8;"
                    + " stats lists the successes that qualify.",
            "The success is read from the store. The rule is stored where remember stores local directives,"
                    + " or, with --store, in that store."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  xmem promote 2026-02-14-002",
            "The exit code is 1 if no success has the id or it does not qualify yet."
        })
final class PromoteSubcommand implements Callable<Integer> {
    private final RootCommand root;

    @Parameters(paramLabel = "ID", description = "The id of the success, or a unique prefix of it.")
    String id = "";

    PromoteSubcommand(RootCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        return DirectiveOutput.of(root, () -> {
            try (XMemStore store = root.stores().openWithDirectives()) {
                return List.of(BusyRetry.call(() -> store.promote(id)));
            }
        });
    }
}
