package dev.xmem.springai;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.definition.ToolDefinition;

/** Runs the tool calls of one turn concurrently, each with Spring AI's own tool calling manager. */
final class ConcurrentTools implements ToolCallingManager {
    private final ToolCallingManager one = ToolCallingManager.builder().build();

    @Override
    public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
        return one.resolveToolDefinitions(options);
    }

    @Override
    public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
        AssistantMessage asked = response.getResult().getOutput();
        ExecutorService threads =
                Executors.newFixedThreadPool(asked.getToolCalls().size());
        try {
            List<CompletableFuture<ToolResponseMessage>> answers = asked.getToolCalls().stream()
                    .map(call -> CompletableFuture.supplyAsync(() -> execute(prompt, call), threads))
                    .toList();
            List<ToolResponseMessage.ToolResponse> all = answers.stream()
                    .flatMap(answer -> answer.join().getResponses().stream())
                    .toList();
            List<Message> history = new ArrayList<>(prompt.getInstructions());
            history.add(asked);
            history.add(ToolResponseMessage.builder().responses(all).build());
            return ToolExecutionResult.builder().conversationHistory(history).build();
        } finally {
            threads.shutdown();
        }
    }

    private ToolResponseMessage execute(Prompt prompt, AssistantMessage.ToolCall call) {
        AssistantMessage alone =
                AssistantMessage.builder().content("").toolCalls(List.of(call)).build();
        List<Message> history = one.executeToolCalls(prompt, new ChatResponse(List.of(new Generation(alone))))
                .conversationHistory();
        return (ToolResponseMessage) history.get(history.size() - 1);
    }
}
