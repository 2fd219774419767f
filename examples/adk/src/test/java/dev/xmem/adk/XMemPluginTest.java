package dev.xmem.adk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.google.adk.JsonBaseModel;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.RunConfig;
import com.google.adk.agents.RunConfig.ToolExecutionMode;
import com.google.adk.events.Event;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.plugins.BasePlugin;
import com.google.adk.plugins.Plugin;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.runner.Runner;
import com.google.adk.tools.BaseTool;
import com.google.adk.tools.ToolContext;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.FunctionDeclaration;
import com.google.genai.types.Part;
import dev.xmem.Failure;
import dev.xmem.Query;
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
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Maybe;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs ADK's own runner with a scripted model and checks the messages that the model receives. */
class XMemPluginTest extends RememberingAgentContract {
    private static final String LESSON = "Ask for the path first.";
    private static final RunConfig CONCURRENT = RunConfig.builder()
            .autoCreateSession(true)
            .toolExecutionMode(ToolExecutionMode.PARALLEL_SUBSCRIBE)
            .build();

    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Override
    protected Agent agent(@Nullable XMemStore memory, FileTool tools, ScriptedModel model) {
        List<Plugin> plugins = memory == null
                ? List.of()
                : List.of(XMemPlugin.with(memory)
                        .softFailures(
                                result -> String.valueOf(result.get("result")).startsWith("Error")));
        Runner runner = runner(model, plugins, new ReadTool(tools, true), new BashTool(tools));
        return (conversation, message) -> chat(runner, conversation, message);
    }

    @Override
    protected Agent stoppingAgent(XMemStore memory, FileTool tools, ScriptedModel model, int stopAfter) {
        List<Plugin> plugins = List.of(XMemPlugin.with(memory).stopAfter(stopAfter));
        Runner runner = runner(model, plugins, new ReadTool(tools, true), new BashTool(tools));
        return (conversation, message) -> chat(runner, conversation, message);
    }

    private static Runner runner(ScriptedModel model, List<Plugin> plugins, BaseTool... tools) {
        LlmAgent agent = LlmAgent.builder()
                .name("librarian")
                .model(new AdkModel(model))
                .tools(List.of(tools))
                .build();
        return new InMemoryRunner(agent, "fileTool", plugins);
    }

    private static String chat(Runner runner, String conversation, String message) {
        List<Event> events = runner.runAsync("me", conversation, Content.fromParts(Part.fromText(message)), CONCURRENT)
                .toList()
                .blockingGet();
        String text = events.get(events.size() - 1).content().orElseThrow().text();
        return String.valueOf(text);
    }

    @Test
    void agent_toolThrows_runEndsAndFailureIsRecorded() {
        Runner runner = runner(
                ScriptedModel.reader("manual.md", 3),
                List.of(XMemPlugin.with(store)),
                new ReadTool(new FileTool(), false));

        assertThatThrownBy(() -> chat(runner, "monday", "go on")).hasMessageContaining("No such file: manual.md");
        store.flush();
        assertThat(store.stats().failures()).isOne();
    }

    @Test
    void agent_toolThrowsKnownError_receivesAdvice() {
        store.recordFailure(Failure.of(
                        ToolCall.json("read", "{\"path\":\"intro.md\"}"),
                        ToolError.text("java.lang.IllegalArgumentException: No such file: intro.md"))
                .patternAvoid(LESSON));
        ScriptedModel model = ScriptedModel.of(ModelTurn.call(ModelTurn.read("manual.md")));

        chat(runner(model, List.of(XMemPlugin.with(store)), new ReadTool(new FileTool(), false)), "monday", "go on");

        assertThat(model.toolResults())
                .singleElement()
                .asString()
                .contains("No such file: manual.md")
                .contains(LESSON);
        store.flush();
        assertThat(store.stats().failures()).as("both callbacks fire").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void agent_besideAPluginThatReflects_isToldOnceInAnyOrder(boolean first) {
        store.recordFailure(Failure.of(
                        ToolCall.json("read", "{\"path\":\"intro.md\"}"),
                        ToolError.text("java.lang.IllegalArgumentException: No such file: intro.md"))
                .patternAvoid(LESSON));
        ScriptedModel model =
                ScriptedModel.of(ModelTurn.call(ModelTurn.read("manual.md")), ModelTurn.call(ModelTurn.read("a.md")));
        XMemPlugin memory = XMemPlugin.with(store);
        List<Plugin> plugins = first ? List.of(memory, new ReflectAndRetry()) : List.of(new ReflectAndRetry(), memory);

        chat(runner(model, plugins, new ReadTool(new FileTool(), false)), "monday", "go on");

        assertThat(model.toolResults()).hasSize(2).allSatisfy(result -> {
            assertThat(result).contains("No such file: ").containsOnlyOnce(LESSON);
            assertThat(result.contains("reflection_guidance"))
                    .as("advice takes the place of the guidance of a later plug-in")
                    .isEqualTo(!first);
        });
        store.flush();
        assertThat(store.search(Query.all()).matches())
                .as("the lesson, and each failure once")
                .hasSize(3)
                .allSatisfy(
                        match -> assertThat(((Failure) match.entry()).error()).doesNotContain("reflection_guidance"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void agent_besideAPluginThatReflects_isGuidedWithoutAdvice(boolean first) {
        ScriptedModel model = ScriptedModel.of(ModelTurn.call(ModelTurn.read("manual.md")));
        XMemPlugin memory = XMemPlugin.with(store);
        List<Plugin> plugins = first ? List.of(memory, new ReflectAndRetry()) : List.of(new ReflectAndRetry(), memory);

        chat(runner(model, plugins, new ReadTool(new FileTool(), false)), "monday", "go on");

        assertThat(model.toolResults())
                .singleElement()
                .asString()
                .contains("reflection_guidance")
                .doesNotContain("from_memory");
        store.flush();
        assertThat(store.stats().failures()).isOne();
    }

    /** Answers as the reflect-and-retry plug-in of ADK for Python does; ADK for Java has none yet. */
    private static final class ReflectAndRetry extends BasePlugin {
        private int retries;

        ReflectAndRetry() {
            super("reflect_and_retry");
        }

        @Override
        public Maybe<Map<String, Object>> onToolErrorCallback(
                BaseTool tool, Map<String, Object> arguments, ToolContext context, Throwable error) {
            retries++;
            return Maybe.just(Map.of(
                    "response_type",
                    "ERROR_HANDLED_BY_REFLECT_AND_RETRY_PLUGIN",
                    "error_type",
                    error.getClass().getSimpleName(),
                    "error_details",
                    String.valueOf(error.getMessage()),
                    "retry_count",
                    retries,
                    "reflection_guidance",
                    "The call failed. Analyze the error and try another approach."));
        }
    }

    /** Reports an error in its result, as ADK's own tools do, or throws it. */
    private static final class ReadTool extends BaseTool {
        private final FileTool fileTool;
        private final boolean caught;

        ReadTool(FileTool fileTool, boolean caught) {
            super("read", "Reads a file.");
            this.fileTool = fileTool;
            this.caught = caught;
        }

        @Override
        public Optional<FunctionDeclaration> declaration() {
            return Optional.of(FunctionDeclaration.builder()
                    .name("read")
                    .description("Reads a file.")
                    .build());
        }

        @Override
        public Single<Map<String, Object>> runAsync(Map<String, Object> arguments, ToolContext context) {
            return Single.fromCallable(() -> {
                try {
                    return Map.of("result", fileTool.read(String.valueOf(arguments.get("path"))));
                } catch (IllegalArgumentException e) {
                    if (!caught) {
                        throw e;
                    }
                    return Map.of("status", "error", "message", String.valueOf(e.getMessage()));
                }
            });
        }
    }

    /** Returns what a command line prints. */
    private static final class BashTool extends BaseTool {
        private final FileTool fileTool;

        BashTool(FileTool fileTool) {
            super("bash", "Runs a command line.");
            this.fileTool = fileTool;
        }

        @Override
        public Optional<FunctionDeclaration> declaration() {
            return Optional.of(FunctionDeclaration.builder()
                    .name("bash")
                    .description("Runs a command line.")
                    .build());
        }

        @Override
        public Single<Map<String, Object>> runAsync(Map<String, Object> arguments, ToolContext context) {
            return Single.fromCallable(() -> Map.of("result", fileTool.bash(String.valueOf(arguments.get("command")))));
        }
    }

    private static final class AdkModel extends BaseLlm {
        private final ScriptedModel model;

        AdkModel(ScriptedModel model) {
            super("scripted");
            this.model = model;
        }

        @Override
        public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
            return Flowable.fromCallable(() -> {
                ModelTurn turn = model.next(messages(request));
                List<Part> parts = new ArrayList<>();
                for (ModelTurn.Call call : turn.calls()) {
                    Map<String, Object> arguments =
                            JsonBaseModel.getMapper().readValue(call.arguments(), new TypeReference<>() {});
                    parts.add(Part.builder()
                            .functionCall(FunctionCall.builder()
                                    .id(call.id())
                                    .name(call.tool())
                                    .args(arguments)
                                    .build())
                            .build());
                }
                if (parts.isEmpty()) {
                    parts.add(Part.fromText(turn.text()));
                }
                return LlmResponse.builder()
                        .content(Content.builder().role("model").parts(parts).build())
                        .build();
            });
        }

        @Override
        public BaseLlmConnection connect(LlmRequest request) {
            throw new UnsupportedOperationException("a scripted model has no connection");
        }

        private static List<ModelMessage> messages(LlmRequest request) {
            List<ModelMessage> all = new ArrayList<>();
            request.config()
                    .flatMap(config -> config.systemInstruction())
                    .ifPresent(system -> all.add(new ModelMessage(Role.SYSTEM, String.valueOf(system.text()))));
            for (Content content : request.contents()) {
                boolean model = content.role().orElse("").equals("model");
                List<String> answers = new ArrayList<>();
                StringBuilder text = new StringBuilder();
                for (Part part : content.parts().orElse(List.of())) {
                    part.functionResponse()
                            .flatMap(answer -> answer.response())
                            .ifPresent(map -> answers.add(map.toString()));
                    part.text().ifPresent(text::append);
                }
                answers.forEach(answer -> all.add(new ModelMessage(Role.TOOL, answer)));
                if (answers.isEmpty()) {
                    all.add(new ModelMessage(model ? Role.MODEL : Role.USER, text.toString()));
                }
            }
            return all;
        }
    }
}
