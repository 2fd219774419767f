package dev.xmem.cli;

import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code xmem search}: lists matching entries, best first. */
@Command(
        name = "search",
        description = {
            "Lists the matching entries, best first.",
            "QUERY is words, one \"quoted phrase\" or /regular expression/, and filters: tool=, tag=, ctx_hash=, type= (failure, success, note, directive), session=, since=,"
                    + " until=, and order=newest, limit=, offset=, cursor=, budget=; also as --limit=5.",
            "since= and until= take a day or a time; until=2026-02-02 leaves that day out.",
            "--deep, or deep=true, lists every entry that has a word of the query, also far below the best.",
            "layer=user searches the user's store, and layer=team the team's, instead of the project's.",
            "Words are compared by their stems, in all fields and with synonyms. An entry need not have all of them:"
                    + " it is listed if it has about a third of them, rare words counting more than frequent ones, and"
                    + " ranks no more than a fraction below the best.",
            "A page has at most 70 entries and at most 15,000 tokens, or fewer with budget=; its last line is the"
                    + " command for the next page."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  xmem search tool=git",
            "  xmem search rclone remote --limit=5",
            "  xmem search 'tag=config since=2026-02-01 /not.found/'",
            "  xmem search tool=git --json",
            "      {\"results\":[…],\"total\":12,\"tokens\":840,\"next_offset\":null,…}",
            "  echo '{\"q\":\"tool=git rejected\",\"limit\":3}' | xmem search --batch",
            "      One response per line. A refused query is answered by {\"error\":\"…\"} and",
            "      reported on stderr."
        })
final class SearchSubcommand extends Subcommand {
    private static final Pattern NEXT = Pattern.compile("\\(/xmem:(load|search) (.*)(--offset=\\d+)\\)$");
    /** Words that a shell passes on as they are. */
    private static final Pattern PLAIN = Pattern.compile("[\\w =.,:@%/+-]*");

    @Parameters(arity = "0..*", paramLabel = "QUERY", description = "The query, in one or several arguments.")
    List<String> query = new ArrayList<>();

    @Option(
            names = "--batch",
            description =
                    "Answer queries from standard input, one JSON object {\"q\":…,\"limit\":…,\"offset\":…,\"deep\":…} per line.")
    boolean batch;

    @Override
    public Integer call() throws IOException {
        if (batch) {
            return batch();
        }
        Query parsed = RootCommand.query(query).layout(root.json ? Query.Layout.JSON : Query.Layout.LIST);
        return print(root, "search", parsed);
    }

    /** Prints one page. */
    static int print(RootCommand root, String command, Query query) throws IOException {
        ProgressReporter progress = ProgressReporter.of(root.terminal(), command, root.json);
        try (progress;
                XMemStore store = root.stores().openForReading()) {
            if (root.environment().terminal() && !root.json) {
                Page page = store.search(query.layout(Query.Layout.DATA));
                root.terminal().styled(new SearchTable(Style.of(root.environment()), Instant.now()).text(page));
            } else {
                String text = store.search(query).text();
                root.terminal().answer(root.json ? text : ofShell(text));
            }
            root.terminal().flush();
        }
        return Main.OK;
    }

    /** A page with the commands of a shell in place of the slash commands that its last line names. */
    static String ofShell(String page) {
        int line = page.lastIndexOf('\n') + 1;
        String last = page.substring(line);
        Matcher next = NEXT.matcher(last);
        if (next.find()) {
            String words = next.group(2);
            String quoted =
                    PLAIN.matcher(words).matches() ? words : "'" + words.strip().replace("'", "'\\''") + "' ";
            last = last.substring(0, next.start()) + "(xmem " + next.group(1) + " " + quoted + next.group(3) + ")";
        }
        return page.substring(0, line) + last.replace("; /xmem:stats ", "; xmem stats ");
    }

    private int batch() throws IOException {
        if (!query.isEmpty()) {
            throw new UsageException(
                    "--batch reads its queries from standard input; leave out " + String.join(" ", query));
        }
        try (XMemStore store = root.stores().openForReading()) {
            return LineLoop.run(
                    root.terminal(),
                    "search",
                    true,
                    line -> store.search(BatchQuery.of(line)).text());
        }
    }
}
