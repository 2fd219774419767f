package dev.xmem.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.MessageType;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.metadata.ToolMetadata;
import reactor.core.publisher.Flux;

/** Runs Spring AI's own loop with a scripted model and checks the messages that the model receives. */
class XMemAdvisorTest extends RememberingAgentContract {
    private static final String LESSON = "Files are below docs/: put docs/ in front of the path.";

    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Override
    protected Agent agent(@Nullable XMemStore memory, FileTool tools, ScriptedModel model) {
        return agent(
                memory == null
                        ? List.of()
                        : List.of(XMemAdvisor.with(memory).softFailures(result -> result.startsWith("\"Error"))),
                tools,
                model);
    }

    @Override
    protected Agent stoppingAgent(XMemStore memory, FileTool tools, ScriptedModel model, int stopAfter) {
        return agent(List.of(XMemAdvisor.with(memory).stopAfter(stopAfter)), tools, model);
    }

    private static Agent agent(List<Advisor> advisors, FileTool tools, ScriptedModel model) {
        ChatClient.Builder builder = ChatClient.builder(new SpringModel(model))
                .defaultTools(new Tools(tools))
                .defaultAdvisors(ToolCallingAdvisor.builder()
                        .toolCallingManager(new ConcurrentTools())
                        .build());
        builder.defaultAdvisors(advisors);
        ChatClient client = builder.build();
        return (conversation, message) -> String.valueOf(client.prompt(message)
                .advisors(request -> request.param(ChatMemory.CONVERSATION_ID, conversation))
                .call()
                .content());
    }

    @Test
    void agent_streaming_receivesAdvice() {
        remember("Failed to open intro.md");
        ScriptedModel model = ScriptedModel.reader("manual.md", 3);

        List<String> said = ChatClient.builder(new SpringModel(model))
                .defaultTools(new Flaky())
                .defaultAdvisors(XMemAdvisor.with(store))
                .build()
                .prompt("Read the manual.")
                .stream()
                .content()
                .collectList()
                .block();

        assertThat(said).singleElement().asString().contains("# docs/manual.md");
        assertThat(model.toolResults()).hasSize(2).first().asString().contains(LESSON);
    }

    private static ChatClient told(XMemStore store, ScriptedModel model) {
        ToolCallingManager manager = ToolCallingManager.builder()
                .toolCallbackResolver(name -> name.equals("by_name") ? failing(name) : null)
                .build();
        return ChatClient.builder(new SpringModel(model))
                .defaultTools(new Flaky())
                .defaultAdvisors(
                        ToolCallingAdvisor.builder()
                                .toolCallingManager(GuardedToolCalling.around(
                                        manager, name -> name.equals("by_name") ? failing(name) : null))
                                .build(),
                        XMemAdvisor.with(store))
                .build();
    }

    private static ToolCallback failing(String name) {
        return FunctionToolCallback.builder(name, (Map<?, ?> input) -> "Error: the file is locked by another user")
                .inputType(Map.class)
                .build();
    }

    @Test
    void agent_unknownTool_isToldAndTheTurnGoesOn() {
        ScriptedModel first = ScriptedModel.of(
                ModelTurn.call(new ModelTurn.Call("c1", "search_files", "{\"path\":\"intro.md\"}")),
                ModelTurn.call(ModelTurn.read("docs/intro.md")));

        told(store, first).prompt("Read the introduction.").call().content();

        assertThat(first.toolResults()).hasSize(2);
        assertThat(first.toolResults().get(0))
                .contains("Error: there is no tool named search_files. The tools are: read");
        store.flush();
        Failure failure =
                (Failure) store.search(dev.xmem.Query.all()).matches().get(0).entry();
        assertThat(failure.tool()).isEqualTo("search_files");
        store.recordFailure(Failure.of(
                        ToolCall.json("search_files", "{\"path\":\"a\"}"),
                        ToolError.text("Error: there is no tool named search_files. The tools are: read"))
                .patternAvoid("Call read instead."));
        ScriptedModel second =
                ScriptedModel.of(ModelTurn.call(new ModelTurn.Call("c2", "search_files", "{\"path\":\"manual.md\"}")));
        told(store, second).prompt("Read the manual.").call().content();
        assertThat(second.toolResults()).singleElement().asString().contains("Call read instead.");
    }

    @Test
    void agent_toolThatIsResolvedByName_isGuarded() {
        ScriptedModel model = ScriptedModel.of(ModelTurn.call(new ModelTurn.Call("c1", "by_name", "{}")));

        told(store, model).prompt("Do it.").call().content();

        store.flush();
        assertThat(store.search(dev.xmem.Query.all()).matches())
                .singleElement()
                .satisfies(match -> assertThat(((Failure) match.entry()).tool()).isEqualTo("by_name"));
    }

    @Test
    void agent_toolThrowsFatalError_turnEndsAndFailureIsRecorded() {
        ScriptedModel model = ScriptedModel.of(ModelTurn.call(ModelTurn.read("checked")));

        assertThatThrownBy(() -> ChatClient.builder(new SpringModel(model))
                        .defaultTools(new Flaky())
                        .defaultAdvisors(XMemAdvisor.with(store))
                        .build()
                        .prompt("Read it.")
                        .call()
                        .content())
                .isInstanceOf(ToolExecutionException.class)
                .hasRootCauseInstanceOf(NoSuchFileException.class);
        store.flush();
        assertThat(store.stats().failures()).isOne();
    }

    @Test
    void guardedTool_customProcessor_seesExceptionWithAdvice() {
        remember("Failed to open intro.md");
        GuardedTool tool = new GuardedTool(ToolCallbacks.from(new Flaky())[0], "s", store.guard(), text -> false, 0);

        assertThatThrownBy(() -> tool.call("{\"path\":\"manual.md\"}"))
                .isInstanceOf(ToolExecutionException.class)
                .hasCauseInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("Failed to open manual.md")
                .hasMessageContaining(LESSON);
    }

    @Test
    void guardedTool_returnDirect_hasNoAdvice() {
        remember("Error: the file is locked by another user");
        ToolCallback direct = FunctionToolCallback.builder(
                        "read", (Map<?, ?> input) -> "Error: the file is locked by another user")
                .inputType(Map.class)
                .toolMetadata(ToolMetadata.builder().returnDirect(true).build())
                .build();
        GuardedTool tool = new GuardedTool(direct, "s", store.guard(), text -> text.contains("Error"), 0);

        assertThat(tool.call("{\"path\":\"manual.md\"}")).isEqualTo("\"Error: the file is locked by another user\"");
        store.flush();
        assertThat(store.stats().failures()).isEqualTo(2);
    }

    @Test
    void guardedTool_processAsText_isReadWithItsExitCodeAndOutput() {
        String process = "{\"exit_code\": 3, \"output\": \"cannot find \\\"a b\\\"\\nin C:\\\\dir\"}";
        ToolCallback run = FunctionToolCallback.builder("run", (Map<?, ?> input) -> process)
                .inputType(Map.class)
                .build();

        new GuardedTool(run, "s", store.guard(), text -> false, 0).call("{\"command\":\"frob x\"}");

        store.flush();
        Failure failure =
                (Failure) store.search(dev.xmem.Query.all()).matches().get(0).entry();
        assertThat(failure.json()).contains("\"exit_code\":3");
        assertThat(failure.error()).contains("cannot find \"a b\"").doesNotContain("exit_code");
    }

    private void remember(String error) {
        store.recordFailure(Failure.of(ToolCall.json("read", "{\"path\":\"intro.md\"}"), ToolError.text(error))
                .patternAvoid(LESSON));
    }

    static final class Flaky {
        @Tool
        String read(String path) throws IOException {
            if (path.startsWith("docs/")) {
                return "# " + path;
            }
            IOException cause = new NoSuchFileException(path);
            if (path.equals("checked")) {
                throw cause;
            }
            throw new UncheckedIOException("Failed to open " + path, cause);
        }
    }

    record Tools(FileTool fileTool) {
        @Tool
        String read(String path) {
            return fileTool.read(path);
        }

        @Tool
        String bash(String command) {
            return fileTool.bash(command);
        }
    }

    private record SpringModel(ScriptedModel model) implements ChatModel {
        @Override
        public ChatResponse call(Prompt prompt) {
            ModelTurn turn = model.next(
                    prompt.getInstructions().stream().flatMap(SpringModel::said).toList());
            List<AssistantMessage.ToolCall> calls = turn.calls().stream()
                    .map(call -> new AssistantMessage.ToolCall(call.id(), "function", call.tool(), call.arguments()))
                    .toList();
            AssistantMessage message = AssistantMessage.builder()
                    .content(turn.text())
                    .toolCalls(calls)
                    .build();
            return new ChatResponse(List.of(new Generation(message)));
        }

        @Override
        public Flux<ChatResponse> stream(Prompt prompt) {
            return Flux.defer(() -> Flux.just(call(prompt)));
        }

        @Override
        public ChatOptions getOptions() {
            return ToolCallingChatOptions.builder().build();
        }

        private static Stream<ModelMessage> said(Message message) {
            if (message instanceof ToolResponseMessage tools) {
                return tools.getResponses().stream()
                        .map(response -> new ModelMessage(Role.TOOL, response.responseData()));
            }
            MessageType type = message.getMessageType();
            Role role = type == MessageType.SYSTEM ? Role.SYSTEM : type == MessageType.USER ? Role.USER : Role.MODEL;
            return Stream.of(new ModelMessage(role, String.valueOf(message.getText())));
        }
    }
}
