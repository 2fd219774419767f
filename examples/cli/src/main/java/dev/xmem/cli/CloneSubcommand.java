package dev.xmem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem clone}: creates a store from what other stores published. */
@Command(
        name = "clone",
        description = "Creates the store, which must not exist yet, and imports what other stores published at a"
                + " remote.",
        footerHeading = "%nExamples:%n",
        footer = {"  xmem --store .xmem-store clone git@example.org:team/memory.git"})
final class CloneSubcommand extends Subcommand {
    @Parameters(paramLabel = "URL-OR-PATH", description = "The remote to sync with from now on.")
    String remote = "";

    @Option(names = "--transport", paramLabel = "git|jgit", description = "As for sync.")
    String transport = "git";

    @Option(names = "--limit", paramLabel = "SECONDS", description = "Time limit; default 600.")
    int seconds = 600;

    @Override
    public Integer call() throws IOException {
        Path store = root.stores().directory();
        if (Files.isDirectory(store.resolve("data"))) {
            throw new UsageException(store + " already contains a store; use sync --remote");
        }
        String named = new SyncRemote(store, root.environment()).remote(remote);
        if (!SyncRemote.mayExist(named)) {
            throw new UsageException("there is nothing to clone at " + named);
        }
        return SyncSubcommand.round(root, store, remote, transport, seconds);
    }
}
