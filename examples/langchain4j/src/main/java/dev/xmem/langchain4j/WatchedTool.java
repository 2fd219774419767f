package dev.xmem.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A tool with a memory beside it: an error that it returns instead of throwing reaches no handler. */
record WatchedTool(ToolExecutor tool, ToolGuard guard, Predicate<ToolExecutionResult> saysItFailed)
        implements ToolExecutor {
    static AiServiceTool of(AiServiceTool tool, ToolGuard guard, Predicate<ToolExecutionResult> saysItFailed) {
        WatchedTool watched = new WatchedTool(tool.toolExecutor(), guard, saysItFailed);
        return tool.toBuilder().toolExecutor(watched).build();
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext at) {
        ToolCall call = XMemAgent.call(request).session(XMemAgent.session(at));
        Advice warning = guard.before(call);
        ToolExecutionResult result = tool.executeWithContext(request, at);
        if (result.isError() || saysItFailed.test(result)) {
            return told(result, guard.failed(call, ToolError.text(text(result))));
        }
        guard.succeeded(call);
        return told(result, warning);
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        return tool.execute(request, memoryId);
    }

    private static String text(ToolExecutionResult result) {
        return result.resultContents().stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining("\n"));
    }

    private static ToolExecutionResult told(ToolExecutionResult result, Advice advice) {
        if (advice.isEmpty()) {
            return result;
        }
        List<Content> contents = new ArrayList<>(result.resultContents());
        boolean isText = contents.size() == 1 && contents.get(0) instanceof TextContent;
        String known = (isText ? text(result) : "") + advice.text();
        contents.add(TextContent.from(known));
        return ToolExecutionResult.builder()
                .isError(result.isError())
                .result(result.result())
                .resultContents(isText ? List.of(TextContent.from(known)) : contents)
                .attributes(result.attributes())
                .build();
    }
}
