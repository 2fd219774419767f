package dev.xmem.core.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolService;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The adapters with a real memory behind them: a scripted model, real tools, real processes. */
class RememberingAgentTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final XMemStore store =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();

    @AfterEach
    void close() {
        store.close();
    }

    private <T extends Entry> List<T> stored(Class<T> type) {
        store.flush();
        return store.search(Query.all().limit(70)).matches().stream()
                .map(match -> match.entry())
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** What the model read after each of its calls. */
    private List<String> chat(String... arguments) {
        ScriptedModel model = new ScriptedModel(List.of(arguments));
        XMemAgent memory =
                new XMemAgent(store.guard(), result -> result.resultText().startsWith("Error"));
        memory.install(AiServices.builder(Assistant.class).chatModel(model), ToolService.findTools(new Tools()))
                .build()
                .chat("go on");
        return model.read;
    }

    @Test
    void agent_knownFailure_readsTheAdviceInTheNextMessage() {
        String lesson = "Files are below docs/: put docs/ in front of the path.";
        store.recordFailure(Failure.of(
                        ToolCall.json("read", "{\"path\":\"intro.md\"}"),
                        ToolError.thrown(new NoSuchFileException("intro.md")))
                .patternAvoid(lesson));
        List<String> read = chat("{\"path\":\"manual.md\"}");
        assertThat(read)
                .singleElement()
                .asString()
                .startsWith("java.nio.file.NoSuchFileException: manual.md")
                .contains(lesson);
    }

    @Test
    void agent_findsAWayItself_theNextAgentReadsIt() {
        assertThat(chat("{\"path\":\"intro.md\"}", "{\"path\":\"docs/intro.md\"}"))
                .last()
                .isEqualTo("# docs/intro.md");
        assertThat(stored(Failure.class)).hasSize(1);
        assertThat(stored(Success.class))
                .singleElement()
                .satisfies(pair -> assertThat(pair.answers())
                        .containsExactly(stored(Failure.class).get(0).id()));
        assertThat(chat("{\"path\":\"manual.md\"}")).singleElement().asString().contains("docs/intro.md");
    }

    @Test
    void agent_toolThatReturnsItsError_isRemembered() {
        chat("{\"path\":\"locked.md\"}");
        assertThat(stored(Failure.class))
                .singleElement()
                .satisfies(failure -> assertThat(failure.error()).contains("is locked by another user"));
    }

    @Test
    void agent_toolWorks_nothingIsRecorded() {
        assertThat(chat("{\"path\":\"docs/intro.md\"}")).containsExactly("# docs/intro.md");
        assertThat(stored(Entry.class)).isEmpty();
    }

    @Test
    void process_failsAndThenWorks_theNextSessionReadsWhatWorked() throws InterruptedException {
        GuardedProcess monday = new GuardedProcess(store.guard(), "monday");
        assertThat(monday.run(List.of(JAVA, "-cp", "nowhere", "com.acme.Main"))).doesNotContain("-version");
        monday.run(List.of(JAVA, "-version"));
        store.flush();
        GuardedProcess tuesday = new GuardedProcess(store.guard(), "tuesday");
        assertThat(tuesday.run(List.of(JAVA, "-cp", "out", "org.shop.Server")))
                .contains("org.shop.Server")
                .contains("-version");
        assertThat(stored(Failure.class)).hasSize(2);
    }

    @Test
    void process_isNoProgram_isRemembered() throws InterruptedException {
        String shown = new GuardedProcess(store.guard(), "s").run(List.of("no-such-program-anywhere", "--now"));
        assertThat(shown).contains("no-such-program-anywhere");
        new GuardedProcess(store.guard(), "s").run(List.of(JAVA, "-version"));
        assertThat(stored(Failure.class)).hasSize(1);
    }

    interface Assistant {
        String chat(String message);
    }

    static final class Tools {
        @Tool
        String read(@P(name = "path", value = "the file") String path) throws IOException {
            if (path.equals("locked.md")) {
                return "Error: the file is locked by another user";
            }
            if (!path.startsWith("docs/")) {
                throw new NoSuchFileException(path);
            }
            return "# " + path;
        }
    }

    /** Calls the one tool with each of these arguments, one call a turn. */
    private static final class ScriptedModel implements ChatModel {
        private final List<String> arguments;
        private final List<String> read = new ArrayList<>();
        private int calls;

        ScriptedModel(List<String> arguments) {
            this.arguments = arguments;
        }

        @Override
        public ChatResponse doChat(ChatRequest chat) {
            ChatMessage last = chat.messages().get(chat.messages().size() - 1);
            if (last instanceof ToolExecutionResultMessage result) {
                read.add(result.text());
            }
            AiMessage said = calls == arguments.size()
                    ? AiMessage.from("done")
                    : AiMessage.from(ToolExecutionRequest.builder()
                            .id("call-" + calls)
                            .name("read")
                            .arguments(arguments.get(calls++))
                            .build());
            return ChatResponse.builder().aiMessage(said).build();
        }
    }
}
