package dev.xmem.core.adapters;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.*;
import dev.xmem.*;
import java.util.List;
import java.util.function.Predicate;

/** How little an adapter takes; the one to use, with rules, commands and outages, is {@code examples/langchain4j}. */
record MinimalAgent(ToolGuard guard, Predicate<ToolExecutionResult> saysItFailed) {
    /** Its tools, such as {@code ToolService.findTools(object)} gives them. */
    <T> AiServices<T> install(AiServices<T> agent, List<AiServiceTool> tools) {
        return agent.hallucinatedToolNameStrategy(this::unknown)
                .tools(tools.stream().map(this::watched).toList());
    }

    /** At the tool itself: an error that it returns instead of throwing reaches no handler. */
    private AiServiceTool watched(AiServiceTool tool) {
        ToolExecutor executor = new ToolExecutor() {
            @Override
            public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext at) {
                ToolCall call = ToolCall.json(request.name(), request.arguments())
                        .session(at.chatMemoryId() + "/" + at.invocationId());
                call = request.id() == null ? call : call.callId(request.id());
                try {
                    ToolExecutionResult result = tool.toolExecutor().executeWithContext(request, at);
                    if (saysItFailed.test(result)) {
                        return failed(call, ToolError.text(result.resultText()));
                    }
                    guard.succeeded(call);
                    return result;
                } catch (RuntimeException e) { // what the tool threw is the cause
                    return failed(call, ToolError.thrown(e.getCause() == null ? e : e.getCause()));
                }
            }

            @Override
            public String execute(ToolExecutionRequest request, Object memoryId) {
                return tool.toolExecutor().execute(request, memoryId);
            }
        };
        return tool.toBuilder().toolExecutor(executor).build();
    }

    private ToolExecutionResultMessage unknown(ToolExecutionRequest request) {
        ToolError error = ToolError.text("no tool " + request.name());
        ToolExecutionResult result = failed(ToolCall.json(request.name(), request.arguments()), error);
        return ToolExecutionResultMessage.from(request, result.resultText());
    }

    private ToolExecutionResult failed(ToolCall call, ToolError error) {
        String text = error.text() + guard.failed(call, error).text();
        return ToolExecutionResult.builder().isError(true).resultText(text).build();
    }
}
