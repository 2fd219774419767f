package dev.xmem.cli;

import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem directives}: lists the directives in the order in which a prompt should contain them. */
@Command(
        name = "directives",
        description = {
            "Lists the user's directives, local and global, most important first.",
            "Directives with a tag among WORDS come first, then constraints, rules and preferences, each by"
                    + " strength and then newest first. WORDS change the order only; they hide nothing.",
            "Reads the same files as remember. Creates nothing."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem directives",
            "  xmem directives build the frontend with pnpm --limit 5",
            "  xmem directives --json | jq -r '.results[].canonical'"
        })
final class DirectivesSubcommand extends Subcommand {
    @Parameters(arity = "0..*", paramLabel = "WORDS", description = "The task at hand.")
    List<String> words = new ArrayList<>();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "7",
            description = "The maximum number of directives; default ${DEFAULT-VALUE}.")
    int limit;

    @Override
    public Integer call() throws IOException {
        if (limit < 1 || limit > Query.MAX_ENTRIES) {
            throw new UsageException("--limit must be from 1 to " + Query.MAX_ENTRIES + ", not " + limit);
        }
        Query query = words.isEmpty() ? Query.all() : Query.words(String.join(" ", words));
        Query request =
                query.kind(Entry.Kind.DIRECTIVE).limit(limit).layout(root.json ? Query.Layout.JSON : Query.Layout.LIST);
        try (XMemStore store = root.stores().directivesForReading()) {
            return answer(store.search(request).text());
        }
    }
}
