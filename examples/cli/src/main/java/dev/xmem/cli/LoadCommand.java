package dev.xmem.cli;

import dev.xmem.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code xmem load}: entries in full, newest first. */
@Command(
        name = "load",
        description = {
            "Prints all that matters of the entries that match, newest first, under a digest of the store: what an agent"
                    + " takes into its context before it starts.",
            "A QUERY is what search takes; without one it is everything that fits 15,000 tokens."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem load tool=rclone", "  xmem load tag=git-commit limit=10", "  xmem load --budget=2000 --json"})
final class LoadCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(arity = "0..*", paramLabel = "QUERY", description = "What to load, in one or several arguments.")
    List<String> query = new ArrayList<>();

    LoadCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        Query.Layout layout = root.json ? Query.Layout.JSON : Query.Layout.CARDS;
        Query asked = Root.query(query).order(Query.Order.NEWEST).layout(layout);
        return SearchCommand.print(root, "load", asked);
    }
}
