package dev.xmem.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.DefaultToolDefinition;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;

/**
 * Runs the tools of a turn that {@link XMemAdvisor} sees: also those that Spring AI resolves by name, and those that do
 * not exist. A call of an unknown tool, which ends a turn otherwise, is answered by an error that names the tools there
 * are; it is recorded and advised on like any other failure. Without an {@link XMemAdvisor} it changes nothing.
 * Thread-safe.
 *
 * <pre>{@code
 * ToolCallingAdvisor.builder().toolCallingManager(GuardedToolCalling.around(manager, resolver)).build();
 * }</pre>
 *
 * @since 0.1
 */
public final class GuardedToolCalling implements ToolCallingManager {
    private final ToolCallingManager manager;
    private final @Nullable ToolCallbackResolver resolver;

    private GuardedToolCalling(ToolCallingManager manager, @Nullable ToolCallbackResolver resolver) {
        this.manager = manager;
        this.resolver = resolver;
    }

    /**
     * Guards the tools that a manager runs.
     *
     * @param resolver the manager's own way to find tools that are not in the options of a prompt; null if it has none
     */
    public static ToolCallingManager around(ToolCallingManager manager, @Nullable ToolCallbackResolver resolver) {
        return manager instanceof GuardedToolCalling ? manager : new GuardedToolCalling(manager, resolver);
    }

    @Override
    public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
        return manager.resolveToolDefinitions(options);
    }

    @Override
    public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
        return manager.executeToolCalls(guarded(prompt, response), response);
    }

    private Prompt guarded(Prompt prompt, ChatResponse response) {
        if (!(prompt.getOptions() instanceof ToolCallingChatOptions options) || options.getToolCallbacks() == null) {
            return prompt;
        }
        List<ToolCallback> tools = options.getToolCallbacks();
        GuardedTool guarded = tools.stream()
                .filter(GuardedTool.class::isInstance)
                .map(GuardedTool.class::cast)
                .findFirst()
                .orElse(null);
        if (guarded == null) {
            return prompt;
        }
        Set<String> names =
                tools.stream().map(tool -> tool.getToolDefinition().name()).collect(Collectors.toSet());
        List<ToolCallback> more = response.getResults().stream()
                .map(Generation::getOutput)
                .filter(AssistantMessage::hasToolCalls)
                .flatMap(message -> message.getToolCalls().stream())
                .map(AssistantMessage.ToolCall::name)
                .distinct()
                .filter(name -> !names.contains(name))
                .<ToolCallback>map(name -> guarded.with(resolved(name, names)))
                .toList();
        if (more.isEmpty()) {
            return prompt;
        }
        List<ToolCallback> all = new ArrayList<>(tools);
        all.addAll(more);
        return new Prompt(
                prompt.getInstructions(), options.mutate().toolCallbacks(all).build());
    }

    private ToolCallback resolved(String name, Set<String> names) {
        ToolCallback found = resolver == null ? null : resolver.resolve(name);
        return found == null ? new UnknownTool(name, names) : found;
    }

    /** Answers each call of a tool that does not exist. */
    private record UnknownTool(String name, Set<String> names) implements ToolCallback {
        @Override
        public ToolDefinition getToolDefinition() {
            return DefaultToolDefinition.builder()
                    .name(name)
                    .description("An unknown tool")
                    .inputSchema("{}")
                    .build();
        }

        @Override
        public String call(String input) {
            return "Error: there is no tool named " + name + ". The tools are: "
                    + names.stream().sorted().collect(Collectors.joining(", "));
        }
    }
}
