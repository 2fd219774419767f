package dev.xmem.mcp;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import dev.xmem.core.XMem;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a host can show of the memory without a model: resources and prompts. */
final class MemoryResources {
    private static final String JSON_TYPE = "application/json";
    private static final String ENTRY = "xmem://entry/";
    /** The newest failures that are grouped into families, and the families that are shown. */
    private static final int MAX_FAILURES = 2_000;

    private static final int MAX_FAMILIES = 100;
    /** A family of fewer failures needs no lesson yet. */
    private static final int FAILURES_WITHOUT_LESSON = 2;

    private final XMemStore store;
    private final MemoryCalls calls;
    private final SlashCommands commands;

    MemoryResources(XMemStore store, MemoryCalls calls) {
        this.store = store;
        this.calls = calls;
        commands = SlashCommands.on(store);
    }

    private interface Body<T> {
        T get() throws IOException;
    }

    List<SyncResourceSpecification> fixed() {
        return List.of(
                resource(
                        "families",
                        "Families of failures",
                        "The failures by their context hash, most frequent first.",
                        1),
                resource(
                        "needs-lesson",
                        "Families that need a lesson",
                        "The families that failed repeatedly and have no pattern_avoid, most frequent first.",
                        FAILURES_WITHOUT_LESSON));
    }

    private SyncResourceSpecification resource(String name, String title, String description, int atLeast) {
        Resource resource = Resource.builder("xmem://" + name, name)
                .title(title)
                .description(description)
                .mimeType(JSON_TYPE)
                .build();
        return new SyncResourceSpecification(
                resource, (context, request) -> answer(() -> json(request.uri(), families(atLeast))));
    }

    List<SyncResourceTemplateSpecification> templates() {
        ResourceTemplate template = ResourceTemplate.builder(ENTRY + "{id}", "entry")
                .title("An entry")
                .description("One entry by its id.")
                .mimeType(JSON_TYPE)
                .build();
        return List.of(new SyncResourceTemplateSpecification(
                template, (context, request) -> answer(() -> json(request.uri(), entry(request.uri())))));
    }

    private Object entry(String uri) throws IOException {
        String id = uri.substring(ENTRY.length());
        if (id.indexOf('%') >= 0) {
            id = URLDecoder.decode(id.replace("+", "%2B"), StandardCharsets.UTF_8);
        }
        Entry entry = store.find(id).orElse(null);
        if (entry == null) {
            throw McpError.builder(McpSchema.ErrorCodes.RESOURCE_NOT_FOUND)
                    .message("There is no entry " + id + ".")
                    .build();
        }
        return EntryContent.of(entry);
    }

    /** The failures with one context hash, as far as they were counted. */
    private static final class Family {
        private final Failure newest;
        private int count;
        private @Nullable String lesson;

        Family(Failure newest) {
            this.newest = newest;
        }

        void add(Failure failure) {
            count++;
            lesson = lesson == null ? failure.patternAvoid() : lesson;
        }

        Map<String, Object> content() {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("ctx_hash", XMem.visible(newest.ctxHash()));
            content.put("failures", count);
            content.put("tool", XMem.visible(newest.tool()));
            content.put("newest", ENTRY + XMem.visible(newest.id()));
            content.put("newest_ts", newest.ts().toString());
            if (lesson != null) {
                content.put("pattern_avoid", XMem.visible(lesson));
            } else {
                content.put("error", XMem.visible(newest.error()));
            }
            return content;
        }
    }

    private Map<String, Object> families(int atLeast) {
        Map<String, Family> families = new LinkedHashMap<>();
        Query query =
                Query.all().kind(Entry.Kind.FAILURE).layout(Query.Layout.LIST).limit(Query.MAX_ENTRIES);
        int counted = 0;
        String cursor;
        do {
            Page page = store.search(query);
            for (Match match : page.matches()) {
                if (match.entry() instanceof Failure failure) {
                    families.computeIfAbsent(failure.ctxHash(), hash -> new Family(failure))
                            .add(failure);
                    counted++;
                }
            }
            cursor = page.cursor();
            query = cursor == null ? query : query.after(cursor);
        } while (cursor != null && counted < MAX_FAILURES);
        List<Map<String, Object>> shown = families.values().stream()
                .filter(family -> atLeast == 1 || family.count >= atLeast && family.lesson == null)
                .sorted(Comparator.comparingInt((Family family) -> -family.count))
                .limit(MAX_FAMILIES)
                .map(Family::content)
                .toList();
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("families", shown);
        content.put("newest_failures_counted", counted);
        return content;
    }

    private static ReadResourceResult json(String uri, Object content) throws IOException {
        String text = JsonRpc.JSON.writeValueAsString(content);
        return ReadResourceResult.builder(List.of(TextResourceContents.builder(uri, text)
                        .mimeType(JSON_TYPE)
                        .build()))
                .build();
    }

    List<SyncPromptSpecification> prompts() {
        return List.of(load(), recall());
    }

    private SyncPromptSpecification load() {
        Prompt prompt = Prompt.builder("load")
                .title("Load the memory")
                .description("The newest entries of the memory, for the model's context.")
                .arguments(List.of(argument("query", "Filters such as tool=git, tag=ci or limit=5.", false)))
                .build();
        return new SyncPromptSpecification(
                prompt,
                (context, request) -> answer(() -> {
                    Object query = request.arguments() == null
                            ? null
                            : request.arguments().get("query");
                    String line = query == null ? "/xmem:load" : "/xmem:load " + query;
                    SlashCommands.Reply reply = commands.execute(line, McpEndpoint.session(context));
                    if (!reply.ok()) {
                        throw invalid(reply.text());
                    }
                    return prompt(reply.text());
                }));
    }

    private SyncPromptSpecification recall() {
        Prompt prompt = Prompt.builder("recall")
                .title("Recall advice")
                .description("What is known about a tool call that failed.")
                .arguments(List.of(
                        argument("tool", "The program or tool.", true),
                        argument("action", "The rest of the command line, or the arguments as JSON.", true),
                        argument("error", "The error output.", true)))
                .build();
        ObjectSchema schema = ObjectSchema.of("tool", "action", "error")
                .text("tool", "")
                .text("action", "")
                .text("error", "");
        return new SyncPromptSpecification(
                prompt,
                (context, request) -> answer(() -> {
                    ToolArguments arguments = ToolArguments.of(schema, request.arguments());
                    return prompt(MemoryCalls.text(calls.advice(arguments, McpEndpoint.session(context))));
                }));
    }

    private static PromptArgument argument(String name, String description, boolean required) {
        return PromptArgument.builder(name)
                .description(description)
                .required(required)
                .build();
    }

    private static GetPromptResult prompt(String text) {
        TextContent content = TextContent.builder(text).build();
        return GetPromptResult.builder(List.of(
                        PromptMessage.builder(McpSchema.Role.USER, content).build()))
                .build();
    }

    private static McpError invalid(String message) {
        return McpError.builder(JsonRpc.INVALID_PARAMS).message(message).build();
    }

    /** Turns what the memory throws into an error of the protocol. */
    private static <T> T answer(Body<T> body) {
        try {
            return body.get();
        } catch (ToolArguments.InvalidArgument | IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        } catch (XMemException | IOException e) {
            throw McpError.builder(JsonRpc.SERVER_ERROR)
                    .message(String.valueOf(e.getMessage()))
                    .build();
        }
    }
}
