package dev.xmem.agentscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.agents.FileTool;
import dev.xmem.agents.ModelMessage;
import dev.xmem.agents.ModelMessage.Role;
import dev.xmem.agents.ModelTurn;
import dev.xmem.agents.RememberingAgentContract;
import dev.xmem.agents.ScriptedModel;
import dev.xmem.core.XMem;
import io.agentscope.core.ReActAgent;
import io.agentscope.core.agent.RuntimeContext;
import io.agentscope.core.message.ContentBlock;
import io.agentscope.core.message.Msg;
import io.agentscope.core.message.MsgRole;
import io.agentscope.core.message.TextBlock;
import io.agentscope.core.message.ToolResultBlock;
import io.agentscope.core.message.ToolUseBlock;
import io.agentscope.core.model.ChatModelBase;
import io.agentscope.core.model.ChatResponse;
import io.agentscope.core.model.GenerateOptions;
import io.agentscope.core.model.ToolSchema;
import io.agentscope.core.tool.Tool;
import io.agentscope.core.tool.ToolParam;
import io.agentscope.core.tool.Toolkit;
import io.agentscope.core.tool.ToolkitConfig;
import io.agentscope.core.util.JsonUtils;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Runs AgentScope's own loop with a scripted model and checks the messages that the model receives. */
class XMemMiddlewareTest extends RememberingAgentContract {
    @Override
    protected Agent agent(@Nullable XMemStore memory, FileTool tools, ScriptedModel model) {
        return agent(
                memory == null
                        ? null
                        : XMemMiddleware.with(memory)
                                .softFailures(result -> text(result.getOutput()).startsWith("\"Error")),
                tools,
                model);
    }

    @Override
    protected Agent stoppingAgent(XMemStore memory, FileTool tools, ScriptedModel model, int stopAfter) {
        return agent(XMemMiddleware.with(memory).stopAfter(stopAfter), tools, model);
    }

    private static Agent agent(@Nullable XMemMiddleware memory, FileTool tools, ScriptedModel model) {
        ReActAgent agent = built(memory, tools, model, 30);
        return (conversation, message) -> answer(
                agent, message, RuntimeContext.builder().sessionId(conversation).build());
    }

    private static ReActAgent built(
            @Nullable XMemMiddleware memory, FileTool tools, ScriptedModel model, int iterations) {
        Toolkit toolkit = new Toolkit(ToolkitConfig.builder().parallel(true).build());
        toolkit.registerTool(new Tools(tools));
        ReActAgent.Builder builder = ReActAgent.builder()
                .name("assistant")
                .model(new AgentScopeModel(model))
                .toolkit(toolkit)
                .maxIters(iterations);
        if (memory != null) {
            builder.middleware(memory);
        }
        return builder.build();
    }

    private static String answer(ReActAgent agent, String message, RuntimeContext at) {
        Msg said = Msg.builder()
                .name("user")
                .role(MsgRole.USER)
                .textContent(message)
                .build();
        return agent.call(List.of(said), at).block(Duration.ofSeconds(60)).getTextContent();
    }

    private static String text(List<ContentBlock> blocks) {
        return blocks.stream()
                .filter(TextBlock.class::isInstance)
                .map(block -> ((TextBlock) block).getText())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void agent_callsUnknownTool_isRecorded() {
        try (XMemStore store = XMem.inMemoryBuilder().open()) {
            ScriptedModel model =
                    ScriptedModel.of(ModelTurn.call(new ModelTurn.Call("call-1", "open", "{\"path\":\"a.md\"}")));

            answer(built(XMemMiddleware.with(store), new FileTool(), model, 3), "go on", RuntimeContext.empty());

            assertThat(model.toolResults()).singleElement().asString().contains("Tool not found: open");
            assertThat(failures(store)).singleElement().satisfies(failure -> {
                assertThat(failure.tool()).isEqualTo("open");
                assertThat(failure.error()).contains("Tool not found: open");
            });
        }
    }

    @Test
    void agent_lastIterationFails_isRecorded() {
        try (XMemStore store = XMem.inMemoryBuilder().open()) {
            ScriptedModel model = ScriptedModel.reader("manual.md", 5);

            answer(built(XMemMiddleware.with(store), new FileTool(), model, 1), "go on", RuntimeContext.empty());

            assertThat(failures(store))
                    .singleElement()
                    .satisfies(failure -> assertThat(failure.error()).isEqualTo("Error: No such file: manual.md"));
        }
    }

    @Test
    void agents_ofTwoUsers_haveSeparateSessions() {
        try (XMemStore store = XMem.inMemoryBuilder().open()) {
            ScriptedModel model = ScriptedModel.of(ModelTurn.call(ModelTurn.read("manual.md")));
            for (String user : List.of("ann", "bob")) {
                answer(
                        built(XMemMiddleware.with(store), new FileTool(), model, 3),
                        "Read the manual.",
                        RuntimeContext.builder()
                                .userId(user)
                                .sessionId("monday")
                                .build());
            }

            assertThat(failures(store))
                    .extracting(Failure::sessionId)
                    .containsExactlyInAnyOrder("ann/monday", "bob/monday");
        }
    }

    private static List<Failure> failures(XMemStore store) {
        store.flush();
        return store.search(Query.all()).matches().stream()
                .map(match -> (Failure) match.entry())
                .toList();
    }

    /** The tools as AgentScope finds them. */
    public record Tools(FileTool fileTool) {
        @Tool(description = "Reads a file.")
        public String read(@ToolParam(name = "path", description = "the file") String path) {
            return fileTool.read(path);
        }

        @Tool(description = "Runs a command line.")
        public String bash(@ToolParam(name = "command", description = "the command line") String command) {
            return fileTool.bash(command);
        }
    }

    private static final class AgentScopeModel extends ChatModelBase {
        private final ScriptedModel model;

        AgentScopeModel(ScriptedModel model) {
            this.model = model;
        }

        @Override
        public String getModelName() {
            return "scripted";
        }

        @Override
        @SuppressWarnings("unchecked")
        protected Flux<ChatResponse> doStream(List<Msg> messages, List<ToolSchema> tools, GenerateOptions options) {
            ModelTurn turn =
                    model.next(messages.stream().flatMap(AgentScopeModel::said).toList());
            List<ContentBlock> content = turn.calls().isEmpty()
                    ? List.of(TextBlock.builder().text(turn.text()).build())
                    : turn.calls().stream()
                            .map(call -> (ContentBlock) ToolUseBlock.builder()
                                    .id(call.id())
                                    .name(call.tool())
                                    .input(JsonUtils.getJsonCodec().fromJson(call.arguments(), Map.class))
                                    .content(call.arguments())
                                    .build())
                            .toList();
            return Flux.just(ChatResponse.builder().content(content).build());
        }

        private static Stream<ModelMessage> said(Msg message) {
            if (message.getRole() == MsgRole.TOOL) {
                return message.getContentBlocks(ToolResultBlock.class).stream()
                        .map(result -> new ModelMessage(Role.TOOL, text(result.getOutput())));
            }
            Role role = message.getRole() == MsgRole.SYSTEM
                    ? Role.SYSTEM
                    : message.getRole() == MsgRole.USER ? Role.USER : Role.MODEL;
            return Stream.of(new ModelMessage(role, String.valueOf(message.getTextContent())));
        }
    }
}
