package dev.xmem.langchain4j;

import dev.langchain4j.agentic.agent.AgentBuilder;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderResult;
import java.util.List;

/**
 * Gives an agent of LangChain4j's module {@code langchain4j-agentic} the memory of an {@link XMemAgent}. Needs that
 * module, which this one does not bring. Stateless.
 *
 * <pre>{@code
 * Writer writer = XMemAgentic.install(
 *                 memory, AgenticServices.agentBuilder(Writer.class).chatModel(model), ToolService.findTools(tools))
 *         .build();
 * }</pre>
 *
 * <p>A memory id is a session. An agent without one has a session for each invocation.
 *
 * @since 0.1
 */
public final class XMemAgentic {
    private XMemAgentic() {}

    /** Installs the tools of an agent, for example from {@code ToolService.findTools(object)}, with the memory. */
    public static <T> AgentBuilder<T, ?> install(
            XMemAgent memory, AgentBuilder<T, ?> agent, List<AiServiceTool> tools) {
        ToolExecutionErrorHandler errors = memory.errors((error, at) -> ToolErrorHandlerResult.text(
                error.getMessage() == null ? error.getClass().getName() : error.getMessage()));
        ToolProviderResult.Builder provided = ToolProviderResult.builder();
        for (AiServiceTool tool : memory.guarded(tools)) {
            provided.add(tool.toolSpecification(), tool.toolExecutor());
        }
        ToolProviderResult result = provided.build();
        ToolProvider provider = request -> result;
        agent.toolProvider(provider);
        agent.contentRetriever(memory::beforeTurn);
        agent.toolExecutionErrorHandler(errors);
        agent.toolArgumentsErrorHandler(errors::handle);
        agent.hallucinatedToolNameStrategy(memory::unknown);
        return agent;
    }
}
