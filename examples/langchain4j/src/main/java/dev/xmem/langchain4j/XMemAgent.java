package dev.xmem.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import java.util.List;
import java.util.function.Predicate;

/**
 * Gives a LangChain4j service an experience memory: what the model reads of a failed tool call ends with what was learned
 * from its like, in that same turn; what is new is recorded by itself; what the model then does right is what is suggested
 * the next time. Thread-safe.
 *
 * <pre>{@code
 * XMemAgent memory = XMemAgent.with(store);
 * Assistant assistant = memory.install(AiServices.builder(Assistant.class).chatModel(model), ToolService.findTools(tools))
 *         .build();
 * }</pre>
 */
public final class XMemAgent {
    private static final int RULES = 7;

    private final XMemStore store;
    private final ToolGuard guard;
    private final Predicate<ToolExecutionResult> saysItFailed;

    private XMemAgent(XMemStore store, ToolGuard guard, Predicate<ToolExecutionResult> saysItFailed) {
        this.store = store;
        this.guard = guard;
        this.saysItFailed = saysItFailed;
    }

    /** A memory that takes for a failure what a tool throws. */
    public static XMemAgent with(XMemStore store) {
        return new XMemAgent(store, store.guard(), result -> false);
    }

    /** Takes for failures also results that say so: tools that return an error's text instead of throwing it. */
    public XMemAgent softFailures(Predicate<ToolExecutionResult> failed) {
        return new XMemAgent(store, guard, failed);
    }

    /** Installs a service's tools, such as {@code ToolService.findTools(object)} gives them, and what is known of them. */
    public <T> AiServices<T> install(AiServices<T> agent, List<AiServiceTool> tools) {
        return agent.hallucinatedToolNameStrategy(this::unknown)
                .tools(tools.stream().map(this::watched).toList());
    }

    /**
     * The user's rules that fit a message, as content to retrieve before a turn: {@code contentRetriever(query ->
     * memory.rules(query.text()))} with {@code storeRetrievedContentInChatMemory(false)}. Empty if there are none or the
     * memory cannot be read.
     */
    public List<Content> rules(String message) {
        try {
            Page rules =
                    store.search(Query.words(message).kind(Entry.Kind.DIRECTIVE).limit(RULES));
            return rules.matches().isEmpty() ? List.of() : List.of(Content.from(rules.text()));
        } catch (XMemException e) {
            return List.of(); // an agent without its memory is still an agent
        }
    }

    /** What to add where the user says that something fails again; empty mostly. */
    public String said(String session, String message) {
        return guard.userSaid(session, message).text();
    }

    /** At the tool itself: an error that it returns instead of throwing reaches no handler. */
    private AiServiceTool watched(AiServiceTool tool) {
        ToolExecutor executor = new ToolExecutor() {
            @Override
            public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext at) {
                ToolCall call = call(request).session(at.chatMemoryId() + "/" + at.invocationId());
                Advice warning = guard.before(call);
                try {
                    ToolExecutionResult result = tool.toolExecutor().executeWithContext(request, at);
                    if (saysItFailed.test(result)) {
                        return failed(call, ToolError.text(result.resultText()));
                    }
                    guard.succeeded(call);
                    return warning.isEmpty() ? result : told(result.resultText() + warning.text(), false);
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
        ToolExecutionResult told = failed(call(request), ToolError.text("Error: there is no tool " + request.name()));
        return ToolExecutionResultMessage.from(request, told.resultText());
    }

    private static ToolCall call(ToolExecutionRequest request) {
        ToolCall call = ToolCall.json(request.name(), request.arguments());
        return request.id() == null ? call : call.callId(request.id());
    }

    private ToolExecutionResult failed(ToolCall call, ToolError error) {
        return told(error.text() + guard.failed(call, error).text(), true);
    }

    private static ToolExecutionResult told(String text, boolean isError) {
        return ToolExecutionResult.builder().isError(isError).resultText(text).build();
    }
}
