package dev.xmem.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.xmem.Scan;
import dev.xmem.XMemStore;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/**
 * {@code xmem memory-search}: finds the newest matching notes of the journal, with the interface of the memory skill's
 * shell script.
 */
@Command(
        name = "memory-search",
        aliases = "memory_search",
        description = {
            "Searches the newest notes of the journal.",
            "Reads one JSON object {q, limit=20, window_lines=50000, mode=\"hybrid\"} from standard input and"
                    + " writes one {results, truncated, used_window_lines} to standard output, newest result first.",
            "q is matched literally, case-sensitively, in the decoded strings of content, type, tags and"
                    + " meta; between two slashes it is a regular expression. limit is at most 200. While there are"
                    + " fewer results than limit, the window is widened fourfold, up to 1,000,000 lines. mode (rg, jq,"
                    + " hybrid) selects the search method; all find the same.",
            "The answer costs at most 15,000 tokens, and a note at most 2,000: its long texts are cut. truncated is true"
                    + " if a match is left out or cut.",
            "The journal is $MEMORY_FILE, or ~/.codex/memory.jsonl, and is created if it is missing; with"
                    + " --store it is the journal of that store."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  printf '%%s' '{\"q\":\"Python\",\"limit\":5}' | xmem memory-search",
            "      {\"results\":[{\"ts\":\"…\",\"type\":\"note\",…}],\"truncated\":false,\"used_window_lines\":50000}",
            "  printf '%%s' '{\"q\":\"/[Pp]refer(s|red)/\"}' | xmem memory-search",
            "Invalid input: {\"error\":\"…\"} on standard output, exit code 1."
        })
final class MemorySearchSubcommand extends Subcommand {
    @Override
    public Integer call() throws IOException {
        return LineLoop.single(root.terminal(), this::search);
    }

    private String search(String text) throws LineException {
        Request request = new Request();
        JsonText.read("the input", text, request::read);
        Scan scan = request.scan();
        if (isBrokenExpression(scan.q())) {
            root.terminal().notice(root.json, "not a regular expression, matched literally: " + scan.q());
        }
        try (XMemStore store = root.stores().journalForReading()) {
            return store.scan(scan).json();
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

    /** The fields of the request. */
    private static final class Request {
        private @Nullable String q;
        private @Nullable Integer limit;
        private @Nullable Integer windowLines;
        private Scan.@Nullable Mode mode;

        void read(String name, JsonParser p) throws IOException, LineException {
            if (p.currentToken() == JsonToken.VALUE_NULL) {
                return;
            }
            switch (name) {
                case "q" -> q = JsonText.string(name, p);
                case "limit" -> limit = JsonText.number(name, p, 1, 200);
                case "window_lines" -> windowLines = JsonText.number(name, p, 1, 1_000_000);
                case "mode" -> mode = mode(JsonText.string(name, p));
                default -> {} // ignored
            }
        }

        private static Scan.Mode mode(String name) throws LineException {
            return switch (name) {
                case "rg" -> Scan.Mode.RG;
                case "jq" -> Scan.Mode.JQ;
                case "hybrid" -> Scan.Mode.HYBRID;
                default -> throw new LineException("mode must be rg, jq or hybrid, not " + JsonText.quoted(name));
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
