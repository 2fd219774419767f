package dev.xmem.mcp;

import static dev.xmem.mcp.ObjectSchema.lower;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.JsonDraft;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Stats;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.hooks.FailureWithoutLesson;
import dev.xmem.hooks.LessonHints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the tools do with the store. The caller checks the arguments. */
final class MemoryCalls {
    private static final List<String> FAILURE = List.of(
            "tool", "action", "error", "pattern_avoid", "tried_also", "tags", "exit_code", "notes", "block_level");
    private static final List<String> SUCCESS =
            List.of("tool", "action", "pattern_name", "key_steps", "tags", "answers", "confidence");

    /** The most tokens of text and matches together; a result of 15,000 tokens has room for its other members. */
    private static final int MAX_TOKENS = 14_000;

    private final LessonHints hints = new LessonHints();
    private final XMemStore store;

    MemoryCalls(XMemStore store) {
        this.store = store;
    }

    /** The text and the structured content of a result. */
    record Result(String text, Map<String, Object> content) {}

    /** Records a failure. One with a lesson replaces the same failure that hooks have recorded without one. */
    Result failure(ToolArguments arguments, String session) throws IOException {
        Failure bare = arguments.text("pattern_avoid") == null ? null : recordedBare(arguments, session);
        String known = bare == null ? null : bare.sessionId();
        Entry entry = recorded(arguments, known == null ? session : known, "tool_failure", FAILURE);
        if (bare == null
                || !(entry instanceof Failure failure)
                || !failure.ctxHash().equals(bare.ctxHash())) {
            return result(entry, "");
        }
        store.amend(bare.id(), Amendment.supersededBy(entry.id()));
        return result(entry, " in place of " + bare.id());
    }

    Result success(ToolArguments arguments, String session) throws IOException {
        return result(recorded(arguments, session, "tool_success", SUCCESS), "");
    }

    private static Result result(Entry entry, String remark) throws IOException {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("id", entry.id());
        content.put("entry", EntryContent.of(entry));
        return new Result("Recorded " + entry.id() + remark + ".", content);
    }

    private Entry recorded(ToolArguments arguments, String session, String type, List<String> names)
            throws IOException {
        return store.recordAll(List.of(draft(arguments, session, type, names))).get(0);
    }

    private static JsonDraft draft(ToolArguments arguments, String session, String type, List<String> names)
            throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", type);
        fields.putAll(arguments.only(names));
        Failure.BlockLevel level = arguments.choice("block_level", Failure.BlockLevel.class);
        if (level != null) {
            fields.put("block_level", lower(level));
        }
        fields.put("session_id", session);
        return JsonDraft.of(JsonRpc.JSON.writeValueAsString(fields));
    }

    /** The newest failure of the same family that has no lesson; null if there is none. */
    private @Nullable Failure recordedBare(ToolArguments arguments, String session) throws IOException {
        Entry alike;
        try (XMemStore scratch = XMem.inMemory()) {
            alike = scratch.recordAll(List.of(draft(arguments, session, "tool_failure", FAILURE)))
                    .get(0);
        }
        if (!(alike instanceof Failure failure)) {
            return null;
        }
        boolean named = arguments.text("session") != null;
        return FailureWithoutLesson.newest(store, failure.ctxHash(), named ? session : null);
    }

    Result recall(ToolArguments arguments, String session) throws IOException {
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

    /** Recalls what the user's message is about, or else the failure that was given. */
    Advice advice(ToolArguments arguments, String session) {
        String message = arguments.text("message");
        if (message != null) {
            Advice said = store.guard().userSaid(session, message);
            if (!said.isEmpty() || arguments.text("error") == null) {
                return said;
            }
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

    Result search(ToolArguments arguments, String session) throws IOException {
        Query query = Query.parse(arguments.required("query"));
        Integer limit = arguments.integer("limit");
        String cursor = arguments.text("cursor");
        query = limit == null ? query : query.limit(limit);
        query = arguments.flag("deep") ? query.deep() : query;
        Page page = store.search(cursor == null ? query : query.after(cursor));
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("total", page.total());
        content.put("total_is_exact", page.totalIsExact());
        content.put("matches", EntryContent.matches(page.matches(), MAX_TOKENS - page.tokens(), true));
        if (page.cursor() != null) {
            content.put("cursor", page.cursor());
        }
        return new Result(inTermsOfTools(page), content);
    }

    /** The text of a page, which names slash commands, with the tools of this server in their place. */
    private static String inTermsOfTools(Page page) {
        String text = page.text();
        if (page.matches().isEmpty()) {
            return text.replace("/xmem:stats shows", "the tool stats shows");
        }
        int end = text.lastIndexOf("\nRefine search or load next page? (");
        return page.cursor() == null || end < 0 || text.indexOf('\n', end + 1) >= 0
                ? text
                : text.substring(0, end) + "\nRefine the query, or search again with the cursor for the next page.";
    }

    Result remember(ToolArguments arguments) throws IOException {
        boolean triple = arguments.text("text") == null
                && (arguments.text("subject") != null || arguments.object("triple") != null);
        List<Directive.Draft> drafts =
                triple ? List.of(ofTriple(arguments)) : Directive.parseAll(arguments.required("text"));
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

    Result outcome(ToolArguments arguments, String session) {
        String id = arguments.required("id");
        Outcome outcome = Objects.requireNonNull(arguments.choice("outcome", Outcome.class));
        boolean counted = store.reportOutcome(id, outcome, session);
        String text = counted ? "Counted." : "Not counted: this session has already voted on " + id + ".";
        return new Result(text, Map.of("counted", counted));
    }

    Result stats() {
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
