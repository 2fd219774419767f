package dev.xmem.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.invocation.InvocationContext;
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

/** Wraps a tool so that the guard also sees errors that the tool returns instead of throwing; error handlers do not. */
record GuardedTool(ToolExecutor tool, ToolGuard guard, Predicate<ToolExecutionResult> isSoftFailure, int stopAfter)
        implements ToolExecutor {
    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext at) {
        ToolCall call = XMemAgent.call(request).session(XMemAgent.session(at));
        Advice warning = guard.before(call);
        ToolExecutionResult result = tool.executeWithContext(request, at);
        boolean failed = result.isError() || isSoftFailure.test(result);
        Advice advice = guard.failed(call, ToolError.exit(failed ? 1 : 0, read(result)));
        stopIfRepeated(request.name(), advice, stopAfter);
        return withAdvice(result, failed || !advice.isEmpty() ? advice : warning);
    }

    /**
     * Ends the loop if a call failed unchanged as often as the application allows; 0 allows any number.
     *
     * @throws RepeatedFailureException if so
     */
    static void stopIfRepeated(String tool, Advice advice, int stopAfter) {
        if (stopAfter > 0 && advice.repeats() >= stopAfter) {
            throw new RepeatedFailureException(tool, advice.repeats());
        }
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        return tool.execute(request, memoryId);
    }

    /** The text of a result; Quarkus writes a text that a tool returns as a JSON string. */
    private static String read(ToolExecutionResult result) {
        String text = text(result);
        return text.startsWith("\"") && result.result() instanceof String returned ? returned : text;
    }

    private static String text(ToolExecutionResult result) {
        return result.resultContents().stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining("\n"));
    }

    private static ToolExecutionResult withAdvice(ToolExecutionResult result, Advice advice) {
        if (advice.isEmpty()) {
            return result;
        }
        List<Content> contents = new ArrayList<>(result.resultContents());
        boolean isText = contents.size() == 1 && contents.get(0) instanceof TextContent;
        String advised = (isText ? text(result) : "") + advice.text();
        contents.add(TextContent.from(advised));
        return ToolExecutionResult.builder()
                .isError(result.isError())
                .result(result.result())
                .resultContents(isText ? List.of(TextContent.from(advised)) : contents)
                .attributes(result.attributes())
                .build();
    }
}
