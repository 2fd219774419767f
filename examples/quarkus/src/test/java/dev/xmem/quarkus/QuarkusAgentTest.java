package dev.xmem.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.xmem.XMemStore;
import dev.xmem.agents.FileTool;
import dev.xmem.agents.ModelMessage;
import dev.xmem.agents.ModelMessage.Role;
import dev.xmem.agents.ModelTurn;
import dev.xmem.agents.RememberingAgentContract;
import dev.xmem.agents.ScriptedModel;
import dev.xmem.core.XMem;
import dev.xmem.langchain4j.XMemAgent;
import io.quarkiverse.langchain4j.HandleToolArgumentError;
import io.quarkiverse.langchain4j.HandleToolExecutionError;
import io.quarkiverse.langchain4j.RegisterAiService;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs the loop of Quarkus LangChain4j with a scripted model and checks the messages that the model receives. */
@QuarkusTest
class QuarkusAgentTest extends RememberingAgentContract {
    @Inject
    Assistant assistant;

    @Inject
    Plain plain;

    /** What the beans of the running chat use. Tools and the model run on the thread of the chat. */
    private record Setup(@Nullable XMemAgent memory, FileTool tools, ScriptedModel model) {}

    private static final ThreadLocal<Setup> CURRENT = new ThreadLocal<>();

    @Override
    protected boolean runsToolsConcurrently() {
        return false; // Quarkus LangChain4j runs the tools of a turn one after another
    }

    @Override
    protected Agent agent(@Nullable XMemStore memory, FileTool tools, ScriptedModel model) {
        return agent(
                memory == null
                        ? null
                        : XMemAgent.with(memory)
                                .softFailures(result -> result.resultText().startsWith("\"Error")),
                tools,
                model);
    }

    @Override
    protected Agent stoppingAgent(XMemStore memory, FileTool tools, ScriptedModel model, int stopAfter) {
        return agent(XMemAgent.with(memory).stopAfter(stopAfter), tools, model);
    }

    private Agent agent(@Nullable XMemAgent memory, FileTool tools, ScriptedModel model) {
        String own = UUID.randomUUID().toString();
        return (conversation, message) -> {
            CURRENT.set(new Setup(memory, tools, model));
            Memories.OWNER.set(own);
            try {
                return memory == null
                        ? plain.chat(conversation, message)
                        : memory.command(conversation, message).orElseGet(() -> assistant.chat(conversation, message));
            } finally {
                CURRENT.remove();
            }
        };
    }

    @Test
    void agent_callsUnknownTool_isToldAndTheTurnGoesOn() throws Exception {
        try (XMemStore store = XMem.inMemoryBuilder().open()) {
            ScriptedModel model = ScriptedModel.of(
                    ModelTurn.call(new ModelTurn.Call("call-1", "open", "{}")),
                    ModelTurn.call(ModelTurn.read("docs/intro.md")));

            agent(store, new FileTool(), model).chat("unknown", "go on");

            assertThat(model.toolResults()).hasSize(2);
            assertThat(model.toolResults().get(0)).startsWith("Error: there is no tool open");
            store.flush();
            assertThat(store.stats().failures()).isOne();
        }
    }

    @Test
    void agent_argumentsNotJson_isRecorded() throws Exception {
        try (XMemStore store = XMem.inMemoryBuilder().open()) {
            ScriptedModel model = ScriptedModel.of(ModelTurn.call(new ModelTurn.Call("call-1", "read", "{\"path\":")));

            agent(store, new FileTool(), model).chat("broken", "go on");

            assertThat(model.toolResults()).hasSize(1);
            store.flush();
            assertThat(store.stats().failures()).isOne();
        }
    }

    /** The AI service as an application writes it. */
    @ApplicationScoped
    @RegisterAiService(
            tools = Tools.class,
            maxSequentialToolInvocations = 100,
            chatLanguageModelSupplier = Model.class,
            chatMemoryProviderSupplier = Memories.class,
            toolHallucinationStrategy = XMemErrors.UnknownTool.class,
            retrievalAugmentor = XMemErrors.Rules.class)
    public interface Assistant {
        String chat(@MemoryId String conversation, @dev.langchain4j.service.UserMessage String message);

        @HandleToolExecutionError
        static ToolErrorHandlerResult failed(Exception error, ToolErrorContext at) {
            return XMemErrors.told(error, at);
        }

        @HandleToolArgumentError
        static ToolErrorHandlerResult invalid(Exception error, ToolErrorContext at) {
            return XMemErrors.told(error, at);
        }
    }

    /** The same service without the memory. */
    @ApplicationScoped
    @RegisterAiService(
            tools = Tools.class,
            maxSequentialToolInvocations = 100,
            chatLanguageModelSupplier = Model.class,
            chatMemoryProviderSupplier = Memories.class,
            retrievalAugmentor = RegisterAiService.NoRetrievalAugmentorSupplier.class)
    public interface Plain {
        String chat(@MemoryId String conversation, @dev.langchain4j.service.UserMessage String message);

        @HandleToolExecutionError
        static String failed(Exception error) {
            return String.valueOf(error.getMessage());
        }
    }

    /** The memory of the running chat; null without one. */
    @Singleton
    public static class Memory {
        @Produces
        @Dependent
        @Nullable XMemAgent memory() {
            return CURRENT.get().memory();
        }
    }

    /** The tools as an application writes them. */
    @ApplicationScoped
    public static class Tools {
        @Tool
        public String read(@P("the file") String path) {
            return CURRENT.get().tools().read(path);
        }

        @Tool
        public String bash(@P("the command line") String command) {
            return CURRENT.get().tools().bash(command);
        }
    }

    /** A history for each conversation of each agent: Quarkus keeps one object for a conversation of a service. */
    @Singleton
    public static class Memories implements Supplier<ChatMemoryProvider>, ChatMemoryStore {
        static final ThreadLocal<String> OWNER = new ThreadLocal<>();
        private final Map<String, List<ChatMessage>> histories = new ConcurrentHashMap<>();

        @Override
        public ChatMemoryProvider get() {
            return id -> MessageWindowChatMemory.builder()
                    .id(id)
                    .maxMessages(100)
                    .chatMemoryStore(this)
                    .build();
        }

        @Override
        public List<ChatMessage> getMessages(Object id) {
            return histories.getOrDefault(OWNER.get() + "/" + id, List.of());
        }

        @Override
        public void updateMessages(Object id, List<ChatMessage> messages) {
            histories.put(OWNER.get() + "/" + id, List.copyOf(messages));
        }

        @Override
        public void deleteMessages(Object id) {
            histories.remove(OWNER.get() + "/" + id);
        }
    }

    /** The model of the running chat. */
    @Singleton
    public static class Model implements Supplier<ChatModel> {
        @Override
        public ChatModel get() {
            return new ScriptedChatModel();
        }
    }

    private static final class ScriptedChatModel implements ChatModel {
        @Override
        public ChatResponse doChat(ChatRequest request) {
            ModelTurn turn = CURRENT.get()
                    .model()
                    .next(request.messages().stream()
                            .map(ScriptedChatModel::toModelMessage)
                            .toList());
            List<ToolExecutionRequest> calls = turn.calls().stream()
                    .map(call -> ToolExecutionRequest.builder()
                            .id(call.id())
                            .name(call.tool())
                            .arguments(call.arguments())
                            .build())
                    .toList();
            AiMessage message = calls.isEmpty() ? AiMessage.from(turn.text()) : AiMessage.from(calls);
            return ChatResponse.builder().aiMessage(message).build();
        }

        private static ModelMessage toModelMessage(ChatMessage message) {
            if (message instanceof ToolExecutionResultMessage result) {
                return new ModelMessage(Role.TOOL, result.text());
            }
            if (message instanceof UserMessage user) {
                return new ModelMessage(Role.USER, user.singleText());
            }
            return message instanceof SystemMessage system
                    ? new ModelMessage(Role.SYSTEM, system.text())
                    : new ModelMessage(Role.MODEL, String.valueOf(((AiMessage) message).text()));
        }
    }
}
