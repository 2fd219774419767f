package dev.xmem.quarkus;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.xmem.langchain4j.XMemAgent;
import io.quarkiverse.langchain4j.runtime.tool.QuarkusToolExecutor;
import io.quarkus.arc.Unremovable;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.function.BiFunction;

/**
 * Reports the results of all tools of all AI services to the memory. What a tool throws is passed on to the error
 * handlers of its service; see {@link XMemErrors}.
 *
 * @since 0.1
 */
@Singleton
@Unremovable
public class XMemToolWrapper implements QuarkusToolExecutor.Wrapper {
    private final Instance<XMemAgent> memory;

    XMemToolWrapper(Instance<XMemAgent> memory) {
        this.memory = memory;
    }

    @Override
    public ToolExecutionResult wrap(
            ToolExecutionRequest call,
            InvocationContext at,
            BiFunction<ToolExecutionRequest, InvocationContext, ToolExecutionResult> tool,
            QuarkusToolExecutor executor) {
        XMemAgent agent = memory.get();
        return agent == null
                ? tool.apply(call, at)
                : agent.guarded(new Next(tool)).executeWithContext(call, at);
    }

    /** The tool, or the wrapper that is next. */
    private record Next(BiFunction<ToolExecutionRequest, InvocationContext, ToolExecutionResult> tool)
            implements ToolExecutor {
        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest call, InvocationContext at) {
            return tool.apply(call, at);
        }

        @Override
        public String execute(ToolExecutionRequest call, Object memoryId) {
            return executeWithContext(
                            call,
                            InvocationContext.builder().chatMemoryId(memoryId).build())
                    .resultText();
        }
    }
}
