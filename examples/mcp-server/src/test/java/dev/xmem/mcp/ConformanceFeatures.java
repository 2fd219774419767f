package dev.xmem.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;

/** The tools, resources and prompts that the conformance suite calls by name, to show the transport. */
final class ConformanceFeatures {
    private static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
    private static final String WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

    private ConformanceFeatures() {}

    static McpServer.StatelessSyncSpecification in(McpServer.StatelessSyncSpecification server) {
        Content text = TextContent.builder("Text for testing.").build();
        Content image = ImageContent.builder(PNG, "image/png").build();
        Content embedded = resource("test://embedded-resource");
        return server.serverInfo("conformance", "1")
                .capabilities(McpSchema.ServerCapabilities.builder()
                        .tools(false)
                        .resources(false, false)
                        .prompts(false)
                        .completions()
                        .build())
                .tools(
                        tool("test_simple_text", text),
                        tool("test_image_content", image),
                        tool(
                                "test_audio_content",
                                AudioContent.builder(WAV, "audio/wav").build()),
                        tool("test_embedded_resource", embedded),
                        tool("test_multiple_content_types", text, image, embedded),
                        tool("test_tool_with_progress", ConformanceFeatures::progress),
                        failing(),
                        withSchema())
                .resources(
                        fixed(TextResourceContents.builder("test://static-text", "Static text.")
                                .mimeType("text/plain")
                                .build()),
                        fixed(BlobResourceContents.builder("test://static-binary", PNG)
                                .mimeType("image/png")
                                .build()))
                .resourceTemplates(template())
                .prompts(
                        prompt("test_simple_prompt", text),
                        prompt("test_prompt_with_image", image),
                        withArguments("test_prompt_with_arguments", "arg1", "arg2"),
                        withArguments("test_prompt_with_embedded_resource", "resourceUri"));
    }

    private static EmbeddedResource resource(String uri) {
        return EmbeddedResource.builder(TextResourceContents.builder(uri, "Embedded text.")
                        .mimeType("text/plain")
                        .build())
                .build();
    }

    private static SyncToolSpecification tool(String name, Content... content) {
        return tool(name, Map.of("type", "object"), false, (context, request) -> {}, content);
    }

    private static SyncToolSpecification tool(String name, BiConsumer<McpTransportContext, CallToolRequest> action) {
        Content done = TextContent.builder("Done.").build();
        return tool(name, Map.of("type", "object"), false, action, done);
    }

    private static SyncToolSpecification tool(
            String name,
            Map<String, Object> schema,
            boolean fails,
            BiConsumer<McpTransportContext, CallToolRequest> action,
            Content... content) {
        return SyncToolSpecification.builder()
                .tool(McpSchema.Tool.builder(name, schema)
                        .description("For the conformance suite.")
                        .build())
                .callHandler((context, request) -> {
                    action.accept(context, request);
                    return CallToolResult.builder()
                            .content(List.of(content))
                            .isError(fails)
                            .build();
                })
                .build();
    }

    private static SyncToolSpecification failing() {
        Content text = TextContent.builder("This tool always fails.").build();
        return tool("test_error_handling", Map.of("type", "object"), true, (context, request) -> {}, text);
    }

    private static SyncToolSpecification withSchema() {
        Map<String, Object> schema = Map.of(
                "$schema",
                "https://json-schema.org/draft/2020-12/schema",
                "type",
                "object",
                "$defs",
                Map.of(
                        "address",
                        Map.of(
                                "type",
                                "object",
                                "properties",
                                Map.of("street", Map.of("type", "string"), "city", Map.of("type", "string")))),
                "properties",
                Map.of("name", Map.of("type", "string"), "address", Map.of("$ref", "#/$defs/address")),
                "additionalProperties",
                false);
        Content text = TextContent.builder("Done.").build();
        return tool("json_schema_2020_12_tool", schema, false, (context, request) -> {}, text);
    }

    private static void progress(McpTransportContext context, CallToolRequest request) {
        Object token =
                Objects.requireNonNull(Objects.requireNonNull(request.meta()).get("progressToken"));
        for (int progress = 0; progress <= 100; progress += 50) {
            McpEndpoint.client(context)
                    .notify(
                            "notifications/progress",
                            Map.of("progressToken", token, "progress", progress, "total", 100));
        }
    }

    private static SyncResourceSpecification fixed(ResourceContents contents) {
        Resource resource = Resource.builder(contents.uri(), contents.uri())
                .mimeType(contents.mimeType())
                .build();
        ReadResourceResult result =
                ReadResourceResult.builder(List.of(contents)).build();
        return new SyncResourceSpecification(resource, (context, request) -> result);
    }

    private static SyncResourceTemplateSpecification template() {
        ResourceTemplate template = ResourceTemplate.builder("test://template/{id}/data", "template")
                .mimeType("application/json")
                .build();
        return new SyncResourceTemplateSpecification(template, (context, request) -> {
            String json = "{\"id\":\"" + request.uri().split("/")[3] + "\"}";
            return ReadResourceResult.builder(List.of(TextResourceContents.builder(request.uri(), json)
                            .mimeType("application/json")
                            .build()))
                    .build();
        });
    }

    private static SyncPromptSpecification prompt(String name, Content content) {
        return new SyncPromptSpecification(Prompt.builder(name).build(), (context, request) -> message(content));
    }

    private static SyncPromptSpecification withArguments(String name, String... arguments) {
        List<PromptArgument> all = Arrays.stream(arguments)
                .map(argument -> PromptArgument.builder(argument).required(true).build())
                .toList();
        return new SyncPromptSpecification(Prompt.builder(name).arguments(all).build(), (context, request) -> {
            Map<String, Object> given = Objects.requireNonNull(request.arguments());
            if (given.get("resourceUri") instanceof String uri) {
                return message(resource(uri));
            }
            List<Object> values = new ArrayList<>();
            for (String argument : arguments) {
                values.add(given.get(argument));
            }
            return message(TextContent.builder("Arguments: " + values).build());
        });
    }

    private static GetPromptResult message(Content content) {
        return GetPromptResult.builder(List.of(
                        PromptMessage.builder(McpSchema.Role.USER, content).build()))
                .build();
    }
}
