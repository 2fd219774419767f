package dev.xmem.quarkus;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.rag.DefaultRetrievalAugmentor;
import dev.langchain4j.rag.RetrievalAugmentor;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.xmem.langchain4j.XMemAgent;
import io.quarkus.arc.Arc;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Singleton;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What an AI service refers to, since Quarkus asks for static methods and classes there.
 *
 * <pre>{@code
 * @RegisterAiService(
 *         toolHallucinationStrategy = XMemErrors.UnknownTool.class,
 *         retrievalAugmentor = XMemErrors.Rules.class)
 * interface Assistant {
 *     String chat(@MemoryId String conversation, @UserMessage String message);
 *
 *     @HandleToolExecutionError
 *     static ToolErrorHandlerResult failed(Exception error, ToolErrorContext at) {
 *         return XMemErrors.told(error, at);
 *     }
 *
 *     @HandleToolArgumentError
 *     static ToolErrorHandlerResult invalid(Exception error, ToolErrorContext at) {
 *         return XMemErrors.told(error, at);
 *     }
 * }
 * }</pre>
 *
 * @since 0.1
 */
public final class XMemErrors {
    private XMemErrors() {}

    /** The message of an error, followed by the advice. For handlers of execution errors and of argument errors. */
    public static ToolErrorHandlerResult told(Throwable error, ToolErrorContext at) {
        return told(error, at, error.getMessage() == null ? error.getClass().getName() : error.getMessage());
    }

    /** A text of the application's own, followed by the advice. */
    public static ToolErrorHandlerResult told(Throwable error, ToolErrorContext at, String text) {
        return memory().errors((thrown, where) -> ToolErrorHandlerResult.text(text))
                .handle(error, at);
    }

    private static XMemAgent memory() {
        return Arc.container().select(XMemAgent.class).get();
    }

    /** Answers calls of tools that do not exist; without it they end the turn. */
    @Singleton
    @Unremovable
    public static class UnknownTool implements Function<ToolExecutionRequest, ToolExecutionResultMessage> {
        @Override
        public ToolExecutionResultMessage apply(ToolExecutionRequest call) {
            return memory().unknown(call);
        }
    }

    /** Adds the user's best matching rules to a message, and advice if the user says that something failed again. */
    @Singleton
    @Unremovable
    public static class Rules implements Supplier<RetrievalAugmentor> {
        @Override
        public RetrievalAugmentor get() {
            return DefaultRetrievalAugmentor.builder()
                    .contentRetriever(query -> memory().beforeTurn(query))
                    .build();
        }
    }
}
