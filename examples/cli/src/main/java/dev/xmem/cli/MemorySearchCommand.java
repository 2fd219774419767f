package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code xmem memory-search}: the newest notes of the journal that match, as the memory skill's shell script has it. */
@Command(
        name = "memory-search",
        aliases = "memory_search",
        description = {
            "Searches the newest lines of the journal: one JSON object {q, limit=20, window_lines=50000, mode=\"hybrid\"}"
                    + " on standard input, one {results, truncated, used_window_lines} on standard output, newest first.",
            "q is looked for as it stands in the decoded strings of content, type, tags and meta; between two slashes it"
                    + " is a regular expression. limit is at most 200. While results are too few the window is widened"
                    + " fourfold, up to 1,000,000 lines. mode (rg, jq, hybrid) is the way to search; all find the same.",
            "The journal is $MEMORY_FILE, else ~/.codex/memory.jsonl, made if it is not there; with --store it is that"
                    + " store's own."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  printf '%%s' '{\"q\":\"Python\",\"limit\":5}' | xmem memory-search",
            "      {\"results\":[{\"ts\":\"…\",\"type\":\"note\",…}],\"truncated\":false,\"used_window_lines\":50000}",
            "  printf '%%s' '{\"q\":\"/[Pp]refer(s|red)/\"}' | xmem memory-search",
            "Anything else is answered by {\"error\":\"…\"} on standard output, with exit code 1."
        })
final class MemorySearchCommand implements Callable<Integer> {
    private final Root root;

    MemorySearchCommand(Root root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        return Exchange.once(root.terminal(), this::search);
    }

    private String search(String text) throws LineException {
        Asked asked = new Asked();
        Json.read("the input", text, asked::read);
        Scan scan = asked.scan();
        if (isBrokenExpression(scan.q())) {
            root.terminal().notice(root.json, "not a regular expression, searched as it stands: " + scan.q());
        }
        try (XMemStore store = root.stores().journalToRead()) {
            ScanResult found = store.scan(scan);
            return "{\"results\":[" + String.join(",", found.results()) + "],\"truncated\":" + found.truncated()
                    + ",\"used_window_lines\":" + found.usedWindowLines() + "}";
        }
    }

    private static boolean isBrokenExpression(String q) {
        if (q.length() < 2 || !q.startsWith("/") || !q.endsWith("/")) {
            return false;
        }
        try {
            Pattern.compile(q.substring(1, q.length() - 1));
            return false;
        } catch (PatternSyntaxException | StackOverflowError e) {
            return true;
        }
    }

    /** The fields of the input. */
    private static final class Asked {
        private @Nullable String q;
        private @Nullable Integer limit;
        private @Nullable Integer windowLines;
        private Scan.@Nullable Mode mode;

        void read(String name, JsonParser p) throws IOException, LineException {
            if (p.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            switch (name) {
                case "q" -> q = Json.string(name, p);
                case "limit" -> limit = Json.number(name, p, 1, 200);
                case "window_lines" -> windowLines = Json.number(name, p, 1, 1_000_000);
                case "mode" -> mode = mode(Json.string(name, p));
                default -> {} // the asker's own
            }
        }

        private static Scan.Mode mode(String name) throws LineException {
            return switch (name) {
                case "rg" -> Scan.Mode.RG;
                case "jq" -> Scan.Mode.JQ;
                case "hybrid" -> Scan.Mode.HYBRID;
                default -> throw new LineException("mode must be rg, jq or hybrid, not " + Json.quoted(name));
            };
        }

        Scan scan() throws LineException {
            if (q == null) {
                throw new LineException("q is missing: the text to look for, or a /regular expression/");
            }
            Scan scan = Scan.of(q);
            scan = limit == null ? scan : scan.limit(limit);
            scan = windowLines == null ? scan : scan.windowLines(windowLines);
            return mode == null ? scan : scan.mode(mode);
        }
    }
}
