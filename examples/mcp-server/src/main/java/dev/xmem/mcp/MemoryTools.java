package dev.xmem.mcp;

import dev.xmem.Advice;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Stats;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tools that a host sees. What goes wrong in one is an error result that says what to do, never a broken session. */
final class MemoryTools {
    private static final List<String> FAILURE = List.of(
            "tool", "action", "error", "pattern_avoid", "tried_also", "tags", "exit_code", "notes", "block_level");
    private static final List<String> SUCCESS =
            List.of("tool", "action", "pattern_name", "key_steps", "tags", "answers", "confidence");

    private final XMemStore store;
    private final McpJsonMapper json;
    /** The host's session where a call names none. */
    private final String session = "mcp-" + UUID.randomUUID();

    MemoryTools(XMemStore store, McpJsonMapper json) {
        this.store = store;
        this.json = json;
    }

    /** A call's text and its structured content. */
    private record Result(String text, Map<String, Object> content) {}

    private interface Body {
        Result call(Arguments arguments) throws IOException;
    }

    List<SyncToolSpecification> all() {
        return List.of(recordFailure(), recordSuccess(), recall(), search(), remember(), reportOutcome(), stats());
    }

    private SyncToolSpecification recordFailure() {
        Schema schema = Schema.object("tool", "action", "error")
                .text("tool", "The program or tool, such as git.")
                .text("action", "What it was to do: the rest of the command line, or the arguments as JSON.")
                .text("error", "What it said.")
                .text("pattern_avoid", "What to do instead, in one sentence.")
                .texts("tried_also", "What was tried in vain.")
                .texts("tags", "Words to find it by.")
                .number("exit_code", "The exit code.")
                .text("notes", "Anything else.")
                .text("block_level", "warning or critical.")
                .text("session", "The session it happened in.");
        return tool("record_failure", "Remembers a failed tool call, and what to do instead.", schema, arguments -> {
            arguments.required("tool");
            arguments.required("action");
            arguments.required("error");
            return recorded(arguments, "tool_failure", FAILURE);
        });
    }

    private SyncToolSpecification recordSuccess() {
        Schema schema = Schema.object("tool", "pattern_name")
                .text("tool", "The program or tool.")
                .text("action", "What it did.")
                .text("pattern_name", "What worked, in a few words.")
                .texts("key_steps", "The steps, in their order.")
                .texts("tags", "Words to find it by.")
                .texts("answers", "Ids of the failures that it solves.")
                .number("confidence", "How sure it is to work again, 0.0 to 1.0.")
                .text("session", "The session it happened in.");
        return tool("record_success", "Remembers what worked.", schema, arguments -> {
            arguments.required("tool");
            arguments.required("pattern_name");
            return recorded(arguments, "tool_success", SUCCESS);
        });
    }

    private SyncToolSpecification recall() {
        Schema schema = Schema.object("tool", "action", "error")
                .text("tool", "The program or tool.")
                .text("action", "What it was to do.")
                .text("error", "What it said.")
                .number("exit_code", "The exit code.")
                .text("session", "This session.");
        String description = "What is known about a tool call that just failed. Ask before you try again.";
        return tool("recall", description, schema, this::recalled);
    }

    private SyncToolSpecification search() {
        Schema schema = Schema.object("query")
                .text("query", "Words and filters.")
                .number("limit", "At most so many entries, 1 to 70.")
                .text("cursor", "The cursor of the page before.");
        String description = "Searches the memory: words, and filters such as tool=git or tag=ci.";
        return tool("search", description, schema, this::found);
    }

    private SyncToolSpecification remember() {
        Schema schema = Schema.object()
                .text("text", "A sentence: never …, always …, I prefer … over …, must ….")
                .text("subject", "Instead of a sentence: what it is about,")
                .text("predicate", "how the two are related,")
                .text("object", "and what is said of the subject.")
                .text("kind", "rule, preference or constraint; of a triple.");
        return tool("remember", "Remembers a rule, preference or constraint of the user.", schema, this::remembered);
    }

    private SyncToolSpecification reportOutcome() {
        Schema schema = Schema.object("id", "outcome")
                .text("id", "The id of the entry.")
                .text("outcome", "worked, failed or irrelevant.")
                .text("session", "This session: it has one vote.");
        return tool("report_outcome", "Says whether advice that was followed worked.", schema, this::counted);
    }

    private SyncToolSpecification stats() {
        return tool("stats", "How much is remembered, of which tools.", Schema.object(), none -> figures());
    }

    private SyncToolSpecification tool(String name, String description, Schema schema, Body body) {
        return SyncToolSpecification.builder()
                .tool(Tool.builder(name, schema.map()).description(description).build())
                .callHandler((exchange, request) -> result(body, request))
                .build();
    }

    private CallToolResult result(Body body, CallToolRequest request) {
        try {
            Result result = body.call(Arguments.of(request.arguments()));
            return CallToolResult.builder()
                    .addTextContent(result.text())
                    .structuredContent(result.content())
                    .isError(false)
                    .build();
        } catch (Arguments.Wrong | XMemException | IOException e) {
            String message = String.valueOf(e.getMessage());
            return CallToolResult.builder()
                    .addTextContent(message)
                    .structuredContent(Map.of("error", message))
                    .isError(true)
                    .build();
        }
    }

    private Result recorded(Arguments arguments, String type, List<String> names) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", type);
        fields.putAll(arguments.only(names));
        fields.put("session_id", session(arguments));
        Entry entry = store.recordAll(List.of(JsonDraft.of(json.writeValueAsString(fields))))
                .get(0);
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("id", entry.id());
        content.put("entry", parsed(entry));
        return new Result("Recorded " + entry.id() + ".", content);
    }

    private Result recalled(Arguments arguments) throws IOException {
        ToolCall call = ToolCall.json(arguments.required("tool"), arguments.required("action"))
                .session(session(arguments));
        String error = arguments.required("error");
        Integer exitCode = arguments.integer("exit_code");
        Advice advice = store.recall(call, exitCode == null ? ToolError.text(error) : ToolError.exit(exitCode, error));
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("status", lower(advice.status()));
        content.put("reason", advice.reason());
        content.put("level", lower(advice.level()));
        content.put("matches", matches(advice.matches()));
        return new Result(advice.isEmpty() ? advice.reason() : advice.text().strip(), content);
    }

    private Result found(Arguments arguments) throws IOException {
        Query query = Query.parse(arguments.required("query"));
        Integer limit = arguments.integer("limit");
        String cursor = arguments.text("cursor");
        if (limit != null && (limit < 1 || limit > Query.MAX_ENTRIES)) {
            throw new Arguments.Wrong("The argument limit must be 1 to " + Query.MAX_ENTRIES + ".");
        }
        query = limit == null ? query : query.limit(limit);
        Page page = store.search(cursor == null ? query : query.after(cursor));
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("total", page.total());
        content.put("matches", matches(page.matches()));
        if (page.cursor() != null) {
            content.put("cursor", page.cursor());
        }
        return new Result(page.text(), content);
    }

    private Result remembered(Arguments arguments) throws IOException {
        String text = arguments.text("text");
        Directive directive = store.remember(text == null ? ofTriple(arguments) : Directive.parse(text));
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("id", directive.id());
        content.put("strength", directive.strength());
        content.put("entry", parsed(directive));
        return new Result(directive.confirmation(), content);
    }

    /** The triple may stand in an object of its own. */
    private static Directive.Draft ofTriple(Arguments arguments) {
        Arguments nested = arguments.object("triple");
        Arguments parts = nested == null ? arguments : nested;
        Directive.Triple triple =
                new Directive.Triple(parts.required("subject"), parts.required("predicate"), parts.required("object"));
        String kind = arguments.text("kind");
        return switch (kind == null ? "rule" : kind.toLowerCase(Locale.ROOT)) {
            case "rule" -> Directive.rule(triple);
            case "preference" -> Directive.preference(triple);
            case "constraint" -> Directive.constraint(triple);
            default -> throw new Arguments.Wrong("The argument kind must be rule, preference or constraint.");
        };
    }

    private Result counted(Arguments arguments) {
        String id = arguments.required("id");
        Outcome outcome = outcome(arguments.required("outcome"));
        boolean counted = store.reportOutcome(id, outcome, session(arguments));
        String text = counted ? "Counted." : "Not counted: this session has voted on " + id + " before.";
        return new Result(text, Map.of("counted", counted));
    }

    private static Outcome outcome(String name) {
        for (Outcome outcome : Outcome.values()) {
            if (lower(outcome).equals(name.toLowerCase(Locale.ROOT))) {
                return outcome;
            }
        }
        throw new Arguments.Wrong("The argument outcome must be worked, failed or irrelevant.");
    }

    private Result figures() {
        Stats stats = store.stats();
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("failures", stats.failures());
        content.put("successes", stats.successes());
        content.put("notes", stats.notes());
        content.put("directives", stats.directives());
        content.put("malformed_lines", stats.malformedLines());
        content.put("top_tags", stats.topTags(10));
        return new Result(stats.text(), content);
    }

    private String session(Arguments arguments) {
        String given = arguments.text("session");
        return given == null || given.isBlank() ? session : given;
    }

    private List<Map<String, Object>> matches(List<Match> matches) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Match match : matches) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", match.entry().id());
            one.put("likeness", lower(match.matchType()));
            one.put("score", match.score());
            one.put("because", match.explanation());
            String advice = match.entry() instanceof Failure failure ? failure.patternAvoid() : null;
            if (advice != null) {
                one.put("pattern_avoid", advice);
            }
            one.put("entry", parsed(match.entry()));
            all.add(one);
        }
        return all;
    }

    private @Nullable Object parsed(Entry entry) throws IOException {
        return json.readValue(entry.json(), Object.class);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
