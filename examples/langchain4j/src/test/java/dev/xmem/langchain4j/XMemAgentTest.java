package dev.xmem.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.tool.ToolService;
import dev.xmem.Directive;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** LangChain4j's own loop with a scripted model and real tools: what the model reads. */
class XMemAgentTest {
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
        ScriptedModel model = new ScriptedModel("read", List.of(arguments));
        XMemAgent memory =
                XMemAgent.with(store).softFailures(result -> result.resultText().startsWith("Error"));
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
    void agent_memoryIsGone_worksAsWithout() {
        XMemAgent memory = XMemAgent.with(store);
        store.close();
        ScriptedModel model =
                new ScriptedModel("read", List.of("{\"path\":\"intro.md\"}", "{\"path\":\"docs/intro.md\"}"));

        memory.install(AiServices.builder(Assistant.class).chatModel(model), ToolService.findTools(new Tools()))
                .build()
                .chat("go on");

        assertThat(model.read).containsExactly("java.nio.file.NoSuchFileException: intro.md", "# docs/intro.md");
        assertThat(memory.rules("push to main")).isEmpty();
    }

    @Test
    void agent_callsAToolThatIsNotThere_readsWhatWasLearned() {
        store.recordFailure(Failure.of(ToolCall.json("open", "{}"), ToolError.text("Error: there is no tool open"))
                .patternAvoid("Use read."));
        ScriptedModel model = new ScriptedModel("open", List.of("{}"));

        XMemAgent.with(store)
                .install(AiServices.builder(Assistant.class).chatModel(model), ToolService.findTools(new Tools()))
                .build()
                .chat("go on");

        assertThat(model.read)
                .singleElement()
                .asString()
                .startsWith("Error: there is no tool open")
                .contains("Use read.");
    }

    @Test
    void agent_withRules_readsThemBeforeItsTurn() {
        store.remember(Directive.parse("never push to main"));
        XMemAgent memory = XMemAgent.with(store);
        ScriptedModel model = new ScriptedModel("read", List.of());

        memory.install(AiServices.builder(Assistant.class).chatModel(model), ToolService.findTools(new Tools()))
                .contentRetriever(query -> memory.rules(query.text()))
                .storeRetrievedContentInChatMemory(false)
                .build()
                .chat("push it");

        assertThat(model.asked).singleElement().asString().contains("push it").contains("Never push to main");
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
        private final String tool;
        private final List<String> arguments;
        private final List<String> read = new ArrayList<>();
        private final List<String> asked = new ArrayList<>();
        private int calls;

        ScriptedModel(String tool, List<String> arguments) {
            this.tool = tool;
            this.arguments = arguments;
        }

        @Override
        public ChatResponse doChat(ChatRequest chat) {
            ChatMessage last = chat.messages().get(chat.messages().size() - 1);
            if (last instanceof ToolExecutionResultMessage result) {
                read.add(result.text());
            } else if (last instanceof UserMessage message) {
                asked.add(message.singleText());
            }
            AiMessage said = calls == arguments.size()
                    ? AiMessage.from("done")
                    : AiMessage.from(ToolExecutionRequest.builder()
                            .id("call-" + calls)
                            .name(tool)
                            .arguments(arguments.get(calls++))
                            .build());
            return ChatResponse.builder().aiMessage(said).build();
        }
    }
}
