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
import dev.xmem.hooks.LessonHints;
import dev.xmem.spi.TokenEstimator;
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

/** The MCP tools. A failing tool returns an error result that says what to do; it never breaks the session. */
final class MemoryTools {
    private static final List<String> FAILURE = List.of(
            "tool", "action", "error", "pattern_avoid", "tried_also", "tags", "exit_code", "notes", "block_level");
    private static final List<String> SUCCESS =
            List.of("tool", "action", "pattern_name", "key_steps", "tags", "answers", "confidence");

    private static final TokenEstimator TOKENS = TokenEstimator.heuristic();
    /** The most tokens of text and matches together; a result of 15,000 tokens has room for its other members. */
    private static final int MAX_TOKENS = 14_000;

    private final XMemStore store;
    private final McpJsonMapper json;
    /** The session of calls that name none. */
    private final String session = "mcp-" + UUID.randomUUID();

    private final LessonHints hints = new LessonHints();

    MemoryTools(XMemStore store, McpJsonMapper json) {
        this.store = store;
        this.json = json;
    }

    /** The text and the structured content of a result. */
    private record Result(String text, Map<String, Object> content) {}

    private interface Handler {
        Result call(ToolArguments arguments) throws IOException;
    }

    List<SyncToolSpecification> all() {
        return List.of(recordFailure(), recordSuccess(), recall(), search(), remember(), reportOutcome(), stats());
    }

    private SyncToolSpecification recordFailure() {
        InputSchema schema = InputSchema.object("tool", "action", "error")
                .text("tool", "The program or tool, such as git.")
                .text("action", "The rest of the command line, or the arguments as JSON.")
                .text("error", "The error output.")
                .text("pattern_avoid", "What to do instead, in one sentence.")
                .texts("tried_also", "Attempts that did not help.")
                .texts("tags", "Tags to find the entry by.")
                .number("exit_code", "The exit code.")
                .text("notes", "Additional notes.")
                .text("block_level", "The severity: warning or critical.")
                .text("session", "The session in which this happened.");
        return tool("record_failure", "Records a failed tool call and what to do instead.", schema, arguments -> {
            arguments.required("tool");
            arguments.required("action");
            arguments.required("error");
            return recorded(arguments, "tool_failure", FAILURE);
        });
    }

    private SyncToolSpecification recordSuccess() {
        InputSchema schema = InputSchema.object("tool", "pattern_name")
                .text("tool", "The program or tool.")
                .text("action", "The rest of the command line, or the arguments as JSON.")
                .text("pattern_name", "A short name for what worked.")
                .texts("key_steps", "The steps, in order.")
                .texts("tags", "Tags to find the entry by.")
                .texts("answers", "Ids of the failures that this solves.")
                .number("confidence", "The confidence that it works again, 0.0 to 1.0.")
                .text("session", "The session in which this happened.");
        return tool("record_success", "Records what worked.", schema, arguments -> {
            arguments.required("tool");
            arguments.required("pattern_name");
            return recorded(arguments, "tool_success", SUCCESS);
        });
    }

    private SyncToolSpecification recall() {
        InputSchema schema = InputSchema.object()
                .text("tool", "The program or tool.")
                .text("action", "The rest of the command line, or the arguments as JSON.")
                .text("error", "The error output.")
                .number("exit_code", "The exit code.")
                .text("message", "Instead of tool, action and error: what the user said about a failure.")
                .text("session", "The current session.");
        String description = "Returns advice for a tool call that just failed. Call it before you retry, and with the"
                + " user's message if the user says that the same thing failed again.";
        return tool("recall", description, schema, this::recalled);
    }

    private SyncToolSpecification search() {
        InputSchema schema = InputSchema.object("query")
                .text("query", "Words and filters.")
                .number("limit", "The maximum number of entries, 1 to 70.")
                .text("cursor", "The cursor of the previous page.");
        String description = "Searches the memory by words and by filters such as tool=git or tag=ci.";
        return tool("search", description, schema, this::found);
    }

    private SyncToolSpecification remember() {
        InputSchema schema = InputSchema.object()
                .text(
                        "text",
                        "A sentence or several: never …, always …, from now on …, I prefer … over …, … must …."
                                + " Begin with \"global:\" for all projects.")
                .text("subject", "Instead of text: the subject of the statement.")
                .text("predicate", "The relation between subject and object.")
                .text("object", "The object of the statement.")
                .text("kind", "The kind of a subject, predicate and object: rule, preference or constraint.");
        return tool("remember", "Stores a rule, preference or constraint of the user.", schema, this::remembered);
    }

    private SyncToolSpecification reportOutcome() {
        InputSchema schema = InputSchema.object("id", "outcome")
                .text("id", "The id of the entry.")
                .text("outcome", "worked, failed or irrelevant.")
                .text("session", "The current session; each session has one vote per entry.");
        return tool("report_outcome", "Reports whether followed advice worked.", schema, this::counted);
    }

    private SyncToolSpecification stats() {
        return tool(
                "stats",
                "Returns statistics of the memory: totals, tools and tags.",
                InputSchema.object(),
                arguments -> statistics());
    }

    private SyncToolSpecification tool(String name, String description, InputSchema schema, Handler handler) {
        return SyncToolSpecification.builder()
                .tool(Tool.builder(name, schema.map()).description(description).build())
                .callHandler((exchange, request) -> result(handler, request))
                .build();
    }

    private CallToolResult result(Handler handler, CallToolRequest request) {
        try {
            Result result = handler.call(ToolArguments.of(request.arguments()));
            return CallToolResult.builder()
                    .addTextContent(result.text())
                    .structuredContent(result.content())
                    .isError(false)
                    .build();
        } catch (ToolArguments.InvalidArgument | XMemException | IOException e) {
            String message = String.valueOf(e.getMessage());
            return CallToolResult.builder()
                    .addTextContent(message)
                    .structuredContent(Map.of("error", message))
                    .isError(true)
                    .build();
        }
    }

    private Result recorded(ToolArguments arguments, String type, List<String> names) throws IOException {
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

    private Result recalled(ToolArguments arguments) throws IOException {
        String message = arguments.text("message");
        Advice advice = message == null || message.isBlank()
                ? recalledFailure(arguments)
                : store.guard().userSaid(session(arguments), message);
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("status", lower(advice.status()));
        content.put("reason", advice.reason());
        content.put("level", lower(advice.level()));
        content.put("matches", matches(advice.matches(), MAX_TOKENS - advice.tokens()));
        content.put("repeats", advice.repeats());
        String hint = message == null ? hints.afterFailure(session(arguments), advice) : "";
        return new Result((advice.isEmpty() ? advice.reason() : advice.text().strip()) + hint, content);
    }

    private Advice recalledFailure(ToolArguments arguments) {
        ToolCall call = ToolCall.json(arguments.required("tool"), arguments.required("action"))
                .session(session(arguments));
        String error = arguments.required("error");
        Integer exitCode = arguments.integer("exit_code");
        ToolError result = exitCode == null ? ToolError.text(error) : ToolError.exit(exitCode, error);
        String given = arguments.text("session");
        Advice advice = given == null || given.isBlank() ? null : store.guard().recall(call, result);
        return advice == null || advice.status() == Advice.Status.UNAVAILABLE ? store.recall(call, result) : advice;
    }

    private Result found(ToolArguments arguments) throws IOException {
        Query query = Query.parse(arguments.required("query"));
        Integer limit = arguments.integer("limit");
        String cursor = arguments.text("cursor");
        if (limit != null && (limit < 1 || limit > Query.MAX_ENTRIES)) {
            throw new ToolArguments.InvalidArgument("The argument limit must be from 1 to " + Query.MAX_ENTRIES + ".");
        }
        query = limit == null ? query : query.limit(limit);
        Page page = store.search(cursor == null ? query : query.after(cursor));
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("total", page.total());
        content.put("matches", matches(page.matches(), MAX_TOKENS - page.tokens()));
        if (page.cursor() != null) {
            content.put("cursor", page.cursor());
        }
        return new Result(page.text(), content);
    }

    private Result remembered(ToolArguments arguments) throws IOException {
        String text = arguments.text("text");
        List<Directive.Draft> drafts = text == null ? List.of(ofTriple(arguments)) : Directive.parseAll(text);
        List<Map<String, Object>> stored = new ArrayList<>();
        List<String> confirmations = new ArrayList<>();
        for (Entry entry : store.recordAll(drafts)) {
            Directive directive = (Directive) entry;
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("id", directive.id());
            content.put("strength", directive.strength());
            content.put("entry", parsed(directive));
            stored.add(content);
            confirmations.add(directive.confirmation());
        }
        Map<String, Object> content = new LinkedHashMap<>(stored.get(0));
        if (stored.size() > 1) {
            content.put("further", stored.subList(1, stored.size()));
        }
        return new Result(String.join("\n", confirmations), content);
    }

    /** Reads a triple from the arguments, or from an object {@code triple} among them. */
    private static Directive.Draft ofTriple(ToolArguments arguments) {
        ToolArguments nested = arguments.object("triple");
        ToolArguments parts = nested == null ? arguments : nested;
        Directive.Triple triple =
                new Directive.Triple(parts.required("subject"), parts.required("predicate"), parts.required("object"));
        String kind = arguments.text("kind");
        return switch (kind == null ? "rule" : kind.toLowerCase(Locale.ROOT)) {
            case "rule" -> Directive.rule(triple);
            case "preference" -> Directive.preference(triple);
            case "constraint" -> Directive.constraint(triple);
            default ->
                throw new ToolArguments.InvalidArgument("The argument kind must be rule, preference or constraint.");
        };
    }

    private Result counted(ToolArguments arguments) {
        String id = arguments.required("id");
        Outcome outcome = outcome(arguments.required("outcome"));
        boolean counted = store.reportOutcome(id, outcome, session(arguments));
        String text = counted ? "Counted." : "Not counted: this session has already voted on " + id + ".";
        return new Result(text, Map.of("counted", counted));
    }

    private static Outcome outcome(String name) {
        for (Outcome outcome : Outcome.values()) {
            if (lower(outcome).equals(name.toLowerCase(Locale.ROOT))) {
                return outcome;
            }
        }
        throw new ToolArguments.InvalidArgument("The argument outcome must be worked, failed or irrelevant.");
    }

    private Result statistics() {
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

    private String session(ToolArguments arguments) {
        String given = arguments.text("session");
        return given == null || given.isBlank() ? session : given;
    }

    /** The matches, the first ones with their entries, as far as the tokens suffice. */
    private List<Map<String, Object>> matches(List<Match> matches, int tokens) throws IOException {
        List<Map<String, Object>> all = new ArrayList<>();
        int left = tokens;
        boolean whole = true;
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
            int entry = TOKENS.estimate(match.entry().json());
            int rest = TOKENS.estimate(json.writeValueAsString(one));
            whole &= entry + rest <= left;
            if (whole) {
                one.put("entry", parsed(match.entry()));
            }
            left -= rest + (whole ? entry : 0);
            if (left < 0) {
                break;
            }
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
