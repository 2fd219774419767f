package dev.xmem.cli;

import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code xmem promote}: a rule out of a success that was proven often enough. */
@Command(
        name = "promote",
        description = {
            "Makes a rule of a success that was used five times or more with a confidence of 0.8 or more; stats lists"
                    + " those that can be promoted.",
            "The success is in the store. The rule is remembered where remember puts those of this project, or, with"
                    + " --store, in that store's own file."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  xmem promote 2026-02-14-002",
            "A success that is not there, or not proven yet, is refused with exit code 1."
        })
final class PromoteCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(paramLabel = "ID", description = "The success, or the beginning of its id.")
    String id = "";

    PromoteCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        return DirectiveAnswer.of(root, () -> {
            try (XMemStore store = root.stores().promoting()) {
                return Patience.until(() -> store.promote(id));
            }
        });
    }
}
