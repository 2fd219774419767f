package dev.xmem.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agentic.AgenticServices;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.MemoryId;
import dev.langchain4j.service.V;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.agents.FileTool;
import dev.xmem.agents.ModelMessage;
import dev.xmem.agents.ModelMessage.Role;
import dev.xmem.agents.ModelTurn;
import dev.xmem.agents.RememberingAgentContract;
import dev.xmem.agents.ScriptedModel;
import dev.xmem.core.XMem;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs LangChain4j's own loop with a scripted model and checks the messages that the model receives. */
class XMemAgentTest extends RememberingAgentContract {
    private static final String LESSON = "Ask for the path first.";

    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();
    private final FileTool fileTool = new FileTool();

    @AfterEach
    void closeStore() {
        store.close();
    }

    interface Assistant {
        String chat(@MemoryId String conversation, @dev.langchain4j.service.UserMessage String message);
    }

    interface Nameless {
        String chat(String message);
    }

    @Override
    protected Agent agent(@Nullable XMemStore memory, FileTool tools, ScriptedModel model) {
        AiServices<Assistant> service = AiServices.builder(Assistant.class)
                .chatModel(new LangChainModel(model))
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(100))
                .executeToolsConcurrently();
        if (memory == null) {
            return service.tools(new Tools(tools)).build()::chat;
        }
        return agent(
                service,
                XMemAgent.with(memory)
                        .softFailures(result -> result.resultText().startsWith("Error")),
                tools);
    }

    @Override
    protected Agent stoppingAgent(XMemStore memory, FileTool tools, ScriptedModel model, int stopAfter) {
        AiServices<Assistant> service = AiServices.builder(Assistant.class)
                .chatModel(new LangChainModel(model))
                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(100))
                .executeToolsConcurrently();
        return agent(service, XMemAgent.with(memory).stopAfter(stopAfter), tools);
    }

    private static Agent agent(AiServices<Assistant> service, XMemAgent agent, FileTool tools) {
        Assistant assistant = agent.install(service, ToolService.findTools(new Tools(tools)))
                .contentRetriever(agent::beforeTurn)
                .storeRetrievedContentInChatMemory(false)
                .build();
        return (conversation, message) ->
                agent.command(conversation, message).orElseGet(() -> assistant.chat(conversation, message));
    }

    /** The tool result that the model receives after this call, in a service without memory ids. */
    private String read(ModelTurn.Call call) {
        ScriptedModel model = ScriptedModel.of(ModelTurn.call(call));
        nameless(model).build().chat("go on");
        return model.toolResults().get(0);
    }

    private AiServices<Nameless> nameless(ScriptedModel model) {
        AiServices<Nameless> service = AiServices.builder(Nameless.class).chatModel(new LangChainModel(model));
        return XMemAgent.with(store).install(service, ToolService.findTools(new Tools(fileTool)));
    }

    private void record(String tool, String arguments, String error) {
        store.recordFailure(Failure.of(ToolCall.json(tool, arguments), ToolError.text(error))
                .patternAvoid(LESSON));
    }

    @Test
    void agent_argumentsNotJson_receivesAdvice() {
        ModelTurn.Call broken = new ModelTurn.Call("call-1", "read", "{\"path\":");
        String first = read(broken);
        store.flush();
        String id = store.search(Query.all()).matches().get(0).entry().id();
        store.recordSuccess(Success.of("read", "Close the braces").answers(id));

        assertThat(first).contains("Unexpected end-of-input");
        assertThat(read(new ModelTurn.Call("call-2", "read", "{\"path\":")))
                .contains("Unexpected end-of-input")
                .contains("Close the braces");
    }

    @Test
    void agent_callsUnknownTool_receivesAdvice() {
        record("open", "{}", "Error: there is no tool open");

        assertThat(read(new ModelTurn.Call("call-1", "open", "{}")))
                .startsWith("Error: there is no tool open")
                .contains(LESSON);
    }

    @Test
    void agent_customErrorHandler_textIsFollowedByAdvice() {
        record("read", "{\"path\":\"intro.md\"}", "java.lang.IllegalArgumentException: No such file: intro.md");
        ScriptedModel model = ScriptedModel.of(ModelTurn.call(ModelTurn.read("manual.md")));

        nameless(model)
                .toolExecutionErrorHandler(XMemAgent.with(store)
                        .errors((error, at) -> ToolErrorHandlerResult.text("Something went wrong.")))
                .build()
                .chat("go on");

        assertThat(model.toolResults())
                .singleElement()
                .asString()
                .startsWith("Something went wrong.\n")
                .contains(LESSON);
    }

    public interface Librarian {
        @dev.langchain4j.agentic.Agent("reads files")
        @dev.langchain4j.service.UserMessage("{{request}}")
        String read(@MemoryId String conversation, @V("request") String request);
    }

    private Librarian librarian(ScriptedModel model) {
        return XMemAgentic.install(
                        XMemAgent.with(store),
                        AgenticServices.agentBuilder(Librarian.class)
                                .chatModel(new LangChainModel(model))
                                .chatMemoryProvider(id -> MessageWindowChatMemory.withMaxMessages(100)),
                        ToolService.findTools(new Tools(fileTool)))
                .build();
    }

    @Test
    void agentic_retrySucceeds_nextAgentReceivesFix() {
        librarian(ScriptedModel.of(
                        ModelTurn.call(ModelTurn.read("intro.md")), ModelTurn.call(ModelTurn.read("docs/intro.md"))))
                .read("monday", "Read the introduction.");
        store.flush();
        ScriptedModel next = ScriptedModel.reader("intro.md", 3);

        librarian(next).read("tuesday", "Read the introduction.");

        assertThat(store.stats().successes()).isOne();
        assertThat(next.toolResults()).hasSize(2);
        assertThat(next.toolResults().get(0))
                .contains("No such file: intro.md")
                .containsOnlyOnce("[/xmem")
                .contains("docs/intro.md");
    }

    @Test
    void agentic_unknownToolAndBrokenArguments_areToldAndTheTurnGoesOn() {
        ScriptedModel model = ScriptedModel.of(
                ModelTurn.call(new ModelTurn.Call("call-1", "open", "{}")),
                ModelTurn.call(new ModelTurn.Call("call-2", "read", "{\"path\":")),
                ModelTurn.call(ModelTurn.read("docs/intro.md")));

        librarian(model).read("monday", "go on");

        assertThat(model.toolResults()).hasSize(3);
        store.flush();
        assertThat(store.stats().failures()).isEqualTo(2);
    }

    @Test
    void agents_withoutMemoryIds_haveSeparateSessions() {
        read(ModelTurn.read("manual.md"));
        read(ModelTurn.read("manual.md"));
        store.flush();

        assertThat(store.stats().failures()).isEqualTo(2);
    }

    @Test
    void guardedTool_resultWithNonTextContent_keepsAllContent() {
        record("draw", "{}", "Error: no ink left");
        List<Content> contents =
                List.of(TextContent.from("Error: no ink left"), ImageContent.from("https://x.example/1.png"));
        ToolExecutor draw = new ToolExecutor() {
            @Override
            public String execute(ToolExecutionRequest request, Object memoryId) {
                throw new UnsupportedOperationException();
            }

            @Override
            public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext at) {
                return ToolExecutionResult.builder()
                        .isError(true)
                        .resultContents(contents)
                        .build();
            }
        };

        ToolExecutionResult advised = new GuardedTool(draw, store.guard(), result -> false, 0)
                .executeWithContext(
                        ToolExecutionRequest.builder()
                                .id("1")
                                .name("draw")
                                .arguments("{}")
                                .build(),
                        InvocationContext.builder().chatMemoryId("monday").build());

        assertThat(advised.isError()).isTrue();
        assertThat(advised.resultContents()).hasSize(3).startsWith(contents.toArray(Content[]::new));
        assertThat(advised.resultContents()).last().asString().contains(LESSON);
    }

    record Tools(FileTool fileTool) {
        @Tool
        String read(@P(name = "path", value = "the file") String path) {
            return fileTool.read(path);
        }

        @Tool
        String bash(@P(name = "command", value = "the command line") String command) {
            return fileTool.bash(command);
        }
    }

    private record LangChainModel(ScriptedModel model) implements ChatModel {
        @Override
        public ChatResponse doChat(ChatRequest request) {
            ModelTurn turn = model.next(request.messages().stream()
                    .map(LangChainModel::toModelMessage)
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
