package dev.xmem.mcp;

import static dev.xmem.mcp.ObjectSchema.lower;

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
import dev.xmem.core.XMem;
import dev.xmem.hooks.LessonHints;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The MCP tools. A failing tool returns an error result that says what to do; it never breaks the session. */
final class MemoryTools {
    private static final List<String> FAILURE = List.of(
            "tool", "action", "error", "pattern_avoid", "tried_also", "tags", "exit_code", "notes", "block_level");
    private static final List<String> SUCCESS =
            List.of("tool", "action", "pattern_name", "key_steps", "tags", "answers", "confidence");

    private static final List<String> KINDS = List.of("rule", "preference", "constraint");

    /** The most tokens of text and matches together; a result of 15,000 tokens has room for its other members. */
    private static final int MAX_TOKENS = 14_000;

    private static final ToolAnnotations READS = hints(true, true);
    private static final ToolAnnotations ADDS = hints(false, false);
    private static final ToolAnnotations ADDS_ONCE = hints(false, true);

    private final LessonHints hints = new LessonHints();
    private final XMemStore store;

    MemoryTools(XMemStore store) {
        this.store = store;
    }

    /** The text and the structured content of a result. */
    private record Result(String text, Map<String, Object> content) {}

    private interface Handler {
        Result call(ToolArguments arguments, String session) throws IOException;
    }

    List<SyncToolSpecification> all() {
        return List.of(recordFailure(), recordSuccess(), recall(), search(), remember(), reportOutcome(), stats());
    }

    private static ToolAnnotations hints(boolean readOnly, boolean idempotent) {
        return ToolAnnotations.builder()
                .readOnlyHint(readOnly)
                .destructiveHint(false)
                .idempotentHint(idempotent)
                .openWorldHint(false)
                .build();
    }

    private static ObjectSchema recordedEntry() {
        return ObjectSchema.of("id", "entry")
                .text("id", "The id of the entry.")
                .object("entry", "The entry as it is stored.");
    }

    private static ObjectSchema match() {
        return ObjectSchema.of("id", "likeness", "score", "because")
                .text("id", "The id of the entry; its resource is xmem://entry/{id}.")
                .choice("likeness", "How the entry matches.", Match.MatchType.values())
                .number("score", "The rank of the match; higher is better.")
                .text("because", "Why the entry matches.")
                .text("pattern_avoid", "What to do instead, of a failure.")
                .text("pattern_name", "What worked, of a success.")
                .texts("key_steps", "The steps of a success, in order.")
                .object("entry", "The entry as it is stored, of the first matches of a search.");
    }

    private SyncToolSpecification recordFailure() {
        ObjectSchema schema = ObjectSchema.of("tool", "action", "error")
                .text("tool", "The program or tool, such as git.")
                .text("action", "The rest of the command line, or the arguments as JSON.")
                .text("error", "The error output.")
                .text("pattern_avoid", "What to do instead, in one sentence.")
                .texts("tried_also", "Attempts that did not help.")
                .texts("tags", "Tags to find the entry by.")
                .integer("exit_code", "The exit code.")
                .text("notes", "Additional notes.")
                .choice("block_level", "The severity.", Failure.BlockLevel.values())
                .text("session", "The session in which this happened.");
        String description = "Records a failed tool call and what to do instead.";
        return tool(
                "record_failure",
                "Record a failure",
                description,
                ADDS,
                schema,
                recordedEntry(),
                (given, session) -> recorded(given, session, "tool_failure", FAILURE));
    }

    private SyncToolSpecification recordSuccess() {
        ObjectSchema schema = ObjectSchema.of("tool", "pattern_name")
                .text("tool", "The program or tool.")
                .text("action", "The rest of the command line, or the arguments as JSON.")
                .text("pattern_name", "A short name for what worked.")
                .texts("key_steps", "The steps, in order.")
                .texts("tags", "Tags to find the entry by.")
                .texts("answers", "Ids of the failures that this solves.")
                .number("confidence", "The confidence that it works again.", 0, 1)
                .text("session", "The session in which this happened.");
        String description = "Records what worked.";
        return tool(
                "record_success",
                "Record a success",
                description,
                ADDS,
                schema,
                recordedEntry(),
                (given, session) -> recorded(given, session, "tool_success", SUCCESS));
    }

    private SyncToolSpecification recall() {
        ObjectSchema schema = ObjectSchema.of()
                .text("tool", "The program or tool.")
                .text("action", "The rest of the command line, or the arguments as JSON.")
                .text("error", "The error output. Needed unless there is an exit_code.")
                .integer("exit_code", "The exit code.")
                .text("message", "Instead of tool, action and error: what the user said about a failure.")
                .text("session", "The current session.");
        ObjectSchema output = ObjectSchema.of("status", "matches")
                .choice("status", "Whether there is advice, and if not, why.", Advice.Status.values())
                .text("reason", "Why there is this advice.")
                .choice("level", "The severity of the failure.", Failure.BlockLevel.values())
                .integer("repeats", "How often the unchanged call failed in the session.")
                .objects("matches", "The entries behind the advice, best first.", match());
        String description = "Returns advice for a tool call that just failed. Call it before you retry, and with the"
                + " user's message if the user says that the same thing failed again.";
        return tool("recall", "Recall advice", description, READS, schema, output, this::recalled);
    }

    private SyncToolSpecification search() {
        ObjectSchema schema = ObjectSchema.of("query")
                .text("query", "Words and filters.")
                .integer("limit", "The maximum number of entries.", 1, Query.MAX_ENTRIES)
                .text("cursor", "The cursor of the previous page.")
                .flag("deep", "Also list entries that match far worse than the best one.");
        ObjectSchema output = ObjectSchema.of("total", "matches")
                .integer("total", "The number of entries that match.")
                .objects("matches", "The entries of this page, best first.", match())
                .text("cursor", "The cursor of the next page, if there is one.");
        String description = "Searches the memory by words and by filters such as tool=git or tag=ci.";
        return tool("search", "Search the memory", description, READS, schema, output, this::found);
    }

    private SyncToolSpecification remember() {
        ObjectSchema triple = ObjectSchema.of("subject", "predicate", "object")
                .text("subject", "The subject of the statement.")
                .text("predicate", "The relation between subject and object.")
                .text("object", "The object of the statement.");
        ObjectSchema schema = ObjectSchema.of()
                .text(
                        "text",
                        "A sentence or several: never …, always …, from now on …, I prefer … over …, … must …."
                                + " Begin with \"global:\" for all projects.")
                .text("subject", "Instead of text: the subject of the statement.")
                .text("predicate", "The relation between subject and object.")
                .text("object", "The object of the statement.")
                .object("triple", "Instead of text: subject, predicate and object as one object.", triple)
                .choice("kind", "The kind of a subject, predicate and object.", KINDS);
        ObjectSchema stored = ObjectSchema.of("id", "strength", "entry")
                .text("id", "The id of the entry.")
                .integer("strength", "How often it was said.")
                .text("conflict", "Which directive contradicts it, and which of the two holds.")
                .object("entry", "The entry as it is stored.");
        ObjectSchema output = ObjectSchema.of("id", "strength", "entry")
                .text("id", "The id of the entry.")
                .integer("strength", "How often it was said.")
                .text("conflict", "Which directive contradicts it, and which of the two holds.")
                .object("entry", "The entry as it is stored.")
                .objects("further", "The entries of further sentences.", stored);
        String description = "Stores a rule, preference or constraint of the user.";
        return tool(
                "remember",
                "Remember a rule",
                description,
                ADDS,
                schema,
                output,
                (given, session) -> remembered(given));
    }

    private SyncToolSpecification reportOutcome() {
        ObjectSchema schema = ObjectSchema.of("id", "outcome")
                .text("id", "The id of the entry.")
                .choice("outcome", "What came of the advice.", Outcome.values())
                .text("session", "The current session; each session has one vote per entry.");
        ObjectSchema output = ObjectSchema.of("counted").flag("counted", "Whether the vote counts.");
        String description = "Reports whether followed advice worked.";
        return tool("report_outcome", "Report an outcome", description, ADDS_ONCE, schema, output, this::counted);
    }

    private SyncToolSpecification stats() {
        ObjectSchema output = ObjectSchema.of("failures", "successes", "notes", "directives", "malformed_lines")
                .integer("failures", "The number of failures.")
                .integer("successes", "The number of successes.")
                .integer("notes", "The number of notes.")
                .integer("directives", "The number of directives.")
                .integer("malformed_lines", "The number of lines that cannot be read.")
                .object("top_tags", "The most frequent tags and how many entries carry each.");
        String description = "Returns statistics of the memory: totals, tools and tags.";
        return tool(
                "stats",
                "Show statistics",
                description,
                READS,
                ObjectSchema.of(),
                output,
                (given, session) -> statistics());
    }

    private static SyncToolSpecification tool(
            String name,
            String title,
            String description,
            ToolAnnotations hints,
            ObjectSchema input,
            ObjectSchema output,
            Handler handler) {
        return SyncToolSpecification.builder()
                .tool(Tool.builder(name, input.closed())
                        .title(title)
                        .description(description)
                        .annotations(hints)
                        .outputSchema(output.map())
                        .build())
                .callHandler((context, request) -> result(input, handler, context, request))
                .build();
    }

    private static CallToolResult result(
            ObjectSchema schema, Handler handler, McpTransportContext context, CallToolRequest request) {
        Object token = request.meta() == null ? null : request.meta().get("progressToken");
        progress(context, token, 0);
        CallToolResult result;
        try {
            ToolArguments arguments = ToolArguments.of(schema, request.arguments());
            String session = arguments.text("session");
            Result answer = handler.call(arguments, session == null ? McpEndpoint.session(context) : session);
            result = CallToolResult.builder()
                    .addTextContent(XMem.visible(answer.text()))
                    .structuredContent(answer.content())
                    .isError(false)
                    .build();
        } catch (ToolArguments.InvalidArgument | XMemException | IOException e) {
            result = error(XMem.visible(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            result = error("The tool failed because of an error in the memory: " + e);
        }
        progress(context, token, 1);
        return result;
    }

    private static CallToolResult error(String message) {
        return CallToolResult.builder().addTextContent(message).isError(true).build();
    }

    /** Reports that a call has begun or ended, so that a client can tell a call that runs from one that waits. */
    private static void progress(McpTransportContext context, @Nullable Object token, int progress) {
        if (token instanceof String || token instanceof Number) {
            McpEndpoint.client(context)
                    .notify("notifications/progress", Map.of("progressToken", token, "progress", progress, "total", 1));
        }
    }

    private Result recorded(ToolArguments arguments, String session, String type, List<String> names)
            throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", type);
        fields.putAll(arguments.only(names));
        Failure.BlockLevel level = arguments.choice("block_level", Failure.BlockLevel.class);
        if (level != null) {
            fields.put("block_level", lower(level));
        }
        fields.put("session_id", session);
        Entry entry = store.recordAll(List.of(JsonDraft.of(JsonRpc.JSON.writeValueAsString(fields))))
                .get(0);
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("id", entry.id());
        content.put("entry", EntryContent.of(entry));
        return new Result("Recorded " + entry.id() + ".", content);
    }

    private Result recalled(ToolArguments arguments, String session) throws IOException {
        Advice advice = advice(arguments, session);
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("status", lower(advice.status()));
        if (!advice.isEmpty()) {
            content.put("reason", XMem.visible(advice.reason()));
            content.put("level", lower(advice.level()));
        }
        content.put("matches", EntryContent.matches(advice.matches(), MAX_TOKENS - advice.tokens(), false));
        content.put("repeats", advice.repeats());
        String hint = arguments.text("message") == null ? hints.afterFailure(session, advice) : "";
        return new Result(text(advice) + hint, content);
    }

    /** The advice for the model, or one sentence that says why there is none. */
    static String text(Advice advice) {
        return advice.isEmpty() ? advice.reason() : advice.text().strip();
    }

    /** Recalls a failure, or what the user's message is about. */
    Advice advice(ToolArguments arguments, String session) {
        String message = arguments.text("message");
        if (message != null) {
            return store.guard().userSaid(session, message);
        }
        ToolCall call = ToolCall.json(arguments.required("tool"), arguments.required("action"))
                .session(session);
        Integer exitCode = arguments.integer("exit_code");
        String error = exitCode == null ? arguments.required("error") : arguments.text("error");
        String output = error == null ? "" : error;
        ToolError result = exitCode == null ? ToolError.text(output) : ToolError.exit(exitCode, output);
        Advice advice = arguments.text("session") == null ? null : store.guard().recall(call, result);
        return advice == null || advice.status() == Advice.Status.UNAVAILABLE ? store.recall(call, result) : advice;
    }

    private Result found(ToolArguments arguments, String session) throws IOException {
        Query query = Query.parse(arguments.required("query"));
        Integer limit = arguments.integer("limit");
        String cursor = arguments.text("cursor");
        query = limit == null ? query : query.limit(limit);
        query = arguments.flag("deep") ? query.deep() : query;
        Page page = store.search(cursor == null ? query : query.after(cursor));
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("total", page.total());
        content.put("matches", EntryContent.matches(page.matches(), MAX_TOKENS - page.tokens(), true));
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
            content.put("id", XMem.visible(directive.id()));
            content.put("strength", directive.strength());
            String said = directive.confirmation();
            String remark = said.substring(said.indexOf(directive.canonical())
                            + directive.canonical().length())
                    .replaceFirst("^\\W+", "");
            if (!remark.isEmpty()) {
                content.put("conflict", XMem.visible(remark));
            }
            content.put("entry", EntryContent.of(entry));
            stored.add(content);
            confirmations.add(directive.confirmation());
        }
        Map<String, Object> content = new LinkedHashMap<>(stored.get(0));
        if (stored.size() > 1) {
            content.put("further", stored.subList(1, stored.size()));
        }
        return new Result(String.join("\n", confirmations), content);
    }

    /** Reads a triple from the arguments, or from the object {@code triple} among them. */
    private static Directive.Draft ofTriple(ToolArguments arguments) {
        ToolArguments nested = arguments.object("triple");
        ToolArguments parts = nested == null ? arguments : nested;
        Directive.Triple triple =
                new Directive.Triple(parts.required("subject"), parts.required("predicate"), parts.required("object"));
        String kind = arguments.text("kind");
        return switch (kind == null ? "rule" : kind.toLowerCase(Locale.ROOT)) {
            case "preference" -> Directive.preference(triple);
            case "constraint" -> Directive.constraint(triple);
            default -> Directive.rule(triple);
        };
    }

    private Result counted(ToolArguments arguments, String session) {
        String id = arguments.required("id");
        Outcome outcome = Objects.requireNonNull(arguments.choice("outcome", Outcome.class));
        boolean counted = store.reportOutcome(id, outcome, session);
        String text = counted ? "Counted." : "Not counted: this session has already voted on " + id + ".";
        return new Result(text, Map.of("counted", counted));
    }

    private Result statistics() {
        Stats stats = store.stats();
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("failures", stats.failures());
        content.put("successes", stats.successes());
        content.put("notes", stats.notes());
        content.put("directives", stats.directives());
        content.put("malformed_lines", stats.malformedLines());
        Map<String, Long> tags = new LinkedHashMap<>();
        stats.topTags(10).forEach((tag, count) -> tags.merge(XMem.visible(tag), count, Long::sum));
        content.put("top_tags", tags);
        return new Result(stats.text(), content);
    }
}
