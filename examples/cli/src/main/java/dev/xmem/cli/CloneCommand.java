package dev.xmem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem clone}: a new store that knows what others published. */
@Command(
        name = "clone",
        description = "Makes the store, which must not be there yet, and imports what others published at a remote.",
        footerHeading = "%nExamples:%n",
        footer = {"  xmem --store .xmem-store clone git@example.org:team/memory.git"})
final class CloneCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(paramLabel = "URL-OR-PATH", description = "What to sync with from now on.")
    String remote = "";

    @Option(names = "--transport", paramLabel = "git|jgit", description = "As for sync.")
    String transport = "git";

    @Option(names = "--limit", paramLabel = "SECONDS", description = "How long it may take; default 600.")
    int seconds = 600;

    CloneCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Path store = root.stores().folderToSync();
        if (Files.isDirectory(store.resolve("data"))) {
            throw new UsageException("there is a store in " + store + " already; use sync --remote");
        }
        String named = new Remotes(store, root.surroundings()).remote(remote);
        if (!Remotes.mayBeThere(named)) {
            throw new UsageException("there is nothing to clone at " + named);
        }
        return SyncCommand.round(root, store, remote, transport, seconds);
    }
}
