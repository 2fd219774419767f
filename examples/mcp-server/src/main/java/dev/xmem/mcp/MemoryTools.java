package dev.xmem.mcp;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Outcome;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.core.XMem;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The MCP tools. A failing tool returns an error result that says what to do; it never breaks the session. */
final class MemoryTools {
    private static final List<String> KINDS = List.of("rule", "preference", "constraint");

    private static final ToolAnnotations READS = hints(true, true);
    /** Of recall, which counts how often an unchanged call failed in a session. */
    private static final ToolAnnotations COUNTS = hints(true, false);

    private static final ToolAnnotations ADDS = hints(false, false);
    private static final ToolAnnotations ADDS_ONCE = hints(false, true);

    private final MemoryCalls calls;

    MemoryTools(MemoryCalls calls) {
        this.calls = calls;
    }

    private interface Handler {
        MemoryCalls.Result call(ToolArguments arguments, String session) throws IOException;
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

    private static ObjectSchema directive() {
        return ObjectSchema.of("id", "strength", "entry")
                .text("id", "The id of the entry.")
                .integer("strength", "How often it was said.")
                .text("conflict", "Which directive contradicts it, and which of the two holds.")
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
        return tool("record_failure", "Record a failure", description, ADDS, schema, recordedEntry(), calls::failure);
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
        return tool("record_success", "Record a success", description, ADDS, schema, recordedEntry(), calls::success);
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
        return tool("recall", "Recall advice", description, COUNTS, schema, output, calls::recall);
    }

    private SyncToolSpecification search() {
        ObjectSchema schema = ObjectSchema.of("query")
                .text("query", "Words and filters.")
                .integer("limit", "The maximum number of entries.", 1, Query.MAX_ENTRIES)
                .text("cursor", "The cursor of the previous page.")
                .flag("deep", "Also list entries that match far worse than the best one.");
        ObjectSchema output = ObjectSchema.of("total", "total_is_exact", "matches")
                .integer("total", "The number of entries that match, or a lower bound.")
                .flag("total_is_exact", "Whether total counts every match.")
                .objects("matches", "The entries of this page, best first.", match())
                .text("cursor", "The cursor of the next page, if there is one.");
        String description = "Searches the memory by words and by filters such as tool=git or tag=ci.";
        return tool("search", "Search the memory", description, READS, schema, output, calls::search);
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
        ObjectSchema output = directive().objects("further", "The entries of further sentences.", directive());
        String description = "Stores a rule, preference or constraint of the user.";
        return tool(
                "remember",
                "Remember a rule",
                description,
                ADDS,
                schema,
                output,
                (given, session) -> calls.remember(given));
    }

    private SyncToolSpecification reportOutcome() {
        ObjectSchema schema = ObjectSchema.of("id", "outcome")
                .text("id", "The id of the entry.")
                .choice("outcome", "What came of the advice.", Outcome.values())
                .text("session", "The current session; each session has one vote per entry.");
        ObjectSchema output = ObjectSchema.of("counted").flag("counted", "Whether the vote counts.");
        String description = "Reports whether followed advice worked.";
        return tool("report_outcome", "Report an outcome", description, ADDS_ONCE, schema, output, calls::outcome);
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
                (given, session) -> calls.stats());
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
            MemoryCalls.Result answer =
                    handler.call(arguments, session == null ? McpEndpoint.session(context) : session);
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
}
