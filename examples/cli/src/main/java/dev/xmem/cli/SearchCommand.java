package dev.xmem.cli;

import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem search}: entries that match a query, best first. */
@Command(
        name = "search",
        description = {
            "Lists what matches, best first.",
            "A QUERY is words (any of them), one \"quoted phrase\" or /regular expression/,"
                    + " and filters: tool=, tag=, ctx_hash=, type= (failure, success, note, directive), session=, since=,"
                    + " until=, and order=newest, limit=, offset=, cursor=, budget=; also as --limit=5.",
            "A page ends at 70 entries or 15,000 tokens; its last line is the command for the next one."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem search tool=git",
            "  xmem search rclone remote --limit=5",
            "  xmem search 'tag=config since=2026-02-01 /not.found/'",
            "  xmem search tool=git --json",
            "      {\"results\":[…],\"total\":12,\"tokens\":840,\"next_offset\":null,…}",
            "  echo '{\"q\":\"tool=git rejected\",\"limit\":3}' | xmem search --batch",
            "      One such object a line. A query that is refused is answered by {\"error\":\"…\"} and",
            "      named on stderr."
        })
final class SearchCommand implements Callable<Integer> {
    private final Root root;

    @Parameters(arity = "0..*", paramLabel = "QUERY", description = "What to look for, in one or several arguments.")
    List<String> query = new ArrayList<>();

    @Option(
            names = "--batch",
            description =
                    "Answers queries from standard input, one JSON object {\"q\":…,\"limit\":…,\"offset\":…} a line.")
    boolean batch;

    SearchCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        if (batch) {
            return batch();
        }
        Query asked = Root.query(query).layout(root.json ? Query.Layout.JSON : Query.Layout.LIST);
        return print(root, "search", asked);
    }

    /** Prints one page. */
    static int print(Root root, String command, Query query) throws IOException {
        Progress progress = Progress.of(root.terminal(), command, root.json);
        try (progress;
                XMemStore store = root.stores().reading()) {
            Page page = store.search(query);
            root.terminal().answer(page.text());
            root.terminal().flush();
        }
        return Main.OK;
    }

    private int batch() throws IOException {
        if (!query.isEmpty()) {
            throw new UsageException(
                    "--batch reads its queries from standard input; leave out " + String.join(" ", query));
        }
        try (XMemStore store = root.stores().reading()) {
            return new Answers(root.terminal(), "search")
                    .all(line -> store.search(Question.of(line)).text());
        }
    }
}
