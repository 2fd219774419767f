package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem directives}: what the user decided, in the order in which a prompt should have it. */
@Command(
        name = "directives",
        description = {
            "Lists what the user decided, local and global, the most important first: those with a tag among WORDS, then"
                    + " constraints, rules, preferences, each by strength, then the newest. WORDS hide nothing.",
            "The files are those of remember; nothing is made where none is."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem directives",
            "  xmem directives build the frontend with pnpm --limit 5",
            "  xmem directives --json | jq -r '.results[].canonical'"
        })
final class DirectivesCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(arity = "0..*", paramLabel = "WORDS", description = "What is about to be done.")
    List<String> words = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "7",
            description = "At most so many; default ${DEFAULT-VALUE}.")
    int limit;

    DirectivesCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        if (limit < 1 || limit > Query.MAX_ENTRIES) {
            throw new UsageException("--limit must be from 1 to " + Query.MAX_ENTRIES + ", not " + limit);
        }
        Query query = words.isEmpty() ? Query.all() : Query.words(String.join(" ", words));
        Query asked =
                query.kind(Entry.Kind.DIRECTIVE).limit(limit).layout(root.json ? Query.Layout.JSON : Query.Layout.LIST);
        try (XMemStore store = root.stores().directivesToRead()) {
            root.terminal().answer(store.search(asked).text());
            root.terminal().flush();
        }
        return Main.OK;
    }
}
