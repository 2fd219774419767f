package dev.xmem.cli;

import dev.xmem.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code xmem load}: prints entries in full, newest first. */
@Command(
        name = "load",
        description = {
            "Prints the matching entries in full, newest first, below a summary of the store.",
            "Meant to be put into the context of an agent before it starts. QUERY is the same as for search;"
                    + " without one, the newest entries that fit into 15,000 tokens are printed."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  xmem load tool=rclone", "  xmem load tag=git-commit limit=10", "  xmem load --budget=2000 --json"})
final class LoadSubcommand extends Subcommand {
    @Parameters(arity = "0..*", paramLabel = "QUERY", description = "The query, in one or several arguments.")
    List<String> query = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        Query.Layout layout = root.json ? Query.Layout.JSON : Query.Layout.CARDS;
        Query parsed = RootCommand.query(query).order(Query.Order.NEWEST).layout(layout);
        return SearchSubcommand.print(root, "load", parsed);
    }
}
