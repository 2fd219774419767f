package dev.xmem.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.SlashCommands;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Gives a LangChain4j AI service an experience memory. Advice from earlier similar failures is appended to the message
 * in which the model sees a failed tool call, in the same turn. New failures are recorded automatically, and so is the
 * call that then works. Thread-safe.
 *
 * <pre>{@code
 * XMemAgent memory = XMemAgent.with(store);
 * Assistant assistant = memory
 *         .install(AiServices.builder(Assistant.class).chatModel(model), ToolService.findTools(tools))
 *         .contentRetriever(memory::beforeTurn)
 *         .storeRetrievedContentInChatMemory(false)
 *         .build();
 * }</pre>
 *
 * <p>A memory id is a session; without memory ids, each invocation is its own session.
 */
public final class XMemAgent {
    private static final String NO_MEMORY_ID = "default";

    private final ToolGuard guard;
    private final SlashCommands commands;
    private final Predicate<ToolExecutionResult> isSoftFailure;
    private final int stopAfter;

    private XMemAgent(
            ToolGuard guard, SlashCommands commands, Predicate<ToolExecutionResult> isSoftFailure, int stopAfter) {
        this.guard = guard;
        this.commands = commands;
        this.isSoftFailure = isSoftFailure;
        this.stopAfter = stopAfter;
    }

    /** A memory that treats exceptions of tools, and results that report an error, as failures. */
    public static XMemAgent with(XMemStore store) {
        return new XMemAgent(store.guard(), SlashCommands.on(store), result -> false, 0);
    }

    /** Also treats results that match as failures: for tools whose errors the guard does not recognize. */
    public XMemAgent softFailures(Predicate<ToolExecutionResult> failed) {
        return new XMemAgent(guard, commands, failed, stopAfter);
    }

    /**
     * Ends the loop with a {@link RepeatedFailureException} when a call has failed this many times in its session,
     * unchanged and in the same way. Default: 0, never.
     */
    public XMemAgent stopAfter(int repeats) {
        return new XMemAgent(guard, commands, isSoftFailure, repeats);
    }

    /**
     * Installs the tools of a service, for example from {@code ToolService.findTools(object)}, with the memory. The
     * model also sees errors about invalid arguments and unknown tools; by default these end its turn.
     */
    public <T> AiServices<T> install(AiServices<T> agent, List<AiServiceTool> tools) {
        return agent.toolExecutionErrorHandler(errors((error, at) -> ToolErrorHandlerResult.text(message(error))))
                .toolArgumentsErrorHandler((error, at) -> failed(error, at, message(error)))
                .hallucinatedToolNameStrategy(this::unknown)
                .tools(guarded(tools));
    }

    /** The same tools with the memory, for a service that takes no others. */
    public List<AiServiceTool> guarded(List<AiServiceTool> tools) {
        return tools.stream()
                .map(tool -> tool.toBuilder()
                        .toolExecutor(guarded(tool.toolExecutor()))
                        .build())
                .toList();
    }

    /**
     * Wraps a tool so that its successes and the errors that it returns are seen. What it throws is passed on: an error
     * handler of {@link #errors} sees it.
     */
    public ToolExecutor guarded(ToolExecutor tool) {
        return new GuardedTool(tool, guard, isSoftFailure, stopAfter);
    }

    /**
     * Wraps an error handler so that advice is appended to its text; for {@code toolExecutionErrorHandler}. Its
     * {@code handle} also serves a {@code toolArgumentsErrorHandler}.
     */
    public ToolExecutionErrorHandler errors(ToolExecutionErrorHandler own) {
        return (error, at) -> failed(error, at, own.handle(error, at).text());
    }

    /** The context of a turn: the user's rules, and advice if the user says that something failed again. */
    public List<Content> beforeTurn(dev.langchain4j.rag.query.Query query) {
        InvocationContext at = query.metadata().invocationContext();
        String context = guard.rules(query.text())
                + guard.userSaid(session(at), query.text()).text();
        return context.isEmpty() ? List.of() : List.of(Content.from(context.strip()));
    }

    /**
     * The reply to a {@code /xmem:} command, or to the answer of an offer that a command made; empty for any other
     * message.
     */
    public Optional<String> command(String session, String message) {
        return commands.answer(message, session);
    }

    private ToolErrorHandlerResult failed(Throwable error, ToolErrorContext at, String text) {
        if (error instanceof RepeatedFailureException repeated) {
            throw repeated;
        }
        ToolCall call = call(at.toolExecutionRequest()).session(session(at.invocationContext()));
        Advice advice = guard.failed(call, ToolError.thrown(error));
        GuardedTool.stopIfRepeated(call.tool(), advice, stopAfter);
        return ToolErrorHandlerResult.text(text + advice.text());
    }

    /** The result of a call of a tool that does not exist; for {@code hallucinatedToolNameStrategy}. */
    public ToolExecutionResultMessage unknown(ToolExecutionRequest request) {
        String text = "Error: there is no tool " + request.name();
        Advice advice = guard.failed(call(request), ToolError.text(text));
        return ToolExecutionResultMessage.from(request, text + advice.text());
    }

    private static String message(Throwable error) {
        return error.getMessage() == null ? error.getClass().getName() : error.getMessage();
    }

    static ToolCall call(ToolExecutionRequest request) {
        ToolCall call = ToolCall.json(request.name(), request.arguments());
        return request.id() == null ? call : call.callId(request.id());
    }

    static String session(InvocationContext at) {
        String id = String.valueOf(at.chatMemoryId());
        return id.equals(NO_MEMORY_ID) ? id + "/" + at.invocationId() : id;
    }
}
