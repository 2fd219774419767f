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
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a model and an agent are shown through the adapters. */
class AdaptersTest {
    private static final String LESSON = "Ask for the path first.";

    private final ScriptedGuard guard = new ScriptedGuard(LESSON);

    @Test
    void agent_toolThrows_modelReadsAdviceInTheSameTurn() {
        ScriptedModel model = chat("read", "{\"path\":\"none.txt\"}");

        assertThat(model.result.text())
                .startsWith("java.io.IOException: none.txt is not there")
                .endsWith("\n" + LESSON);
        assertThat(model.result.isError()).isTrue();
        assertThat(guard.reported)
                .containsExactly(
                        "failed read {\"path\":\"none.txt\"} exit=null java.io.IOException: none.txt is not there");
    }

    @Test
    void agent_toolReturnsItsError_modelReadsAdviceInTheSameTurn() {
        ScriptedModel model = chat("find", "{\"name\":\"left-pad\"}");

        assertThat(model.result.text()).isEqualTo("Error: nothing like left-pad\n" + LESSON);
        assertThat(guard.reported)
                .containsExactly("failed find {\"name\":\"left-pad\"} exit=null Error: nothing like left-pad");
    }

    @Test
    void agent_argumentsAreNotJson_modelReadsAdvice() {
        ScriptedModel model = chat("read", "{\"path\":");

        assertThat(model.result.text()).endsWith("\n" + LESSON);
        assertThat(guard.reported).hasSize(1).first().asString().startsWith("failed read {\"path\":");
    }

    @Test
    void agent_noSuchTool_modelReadsAdvice() {
        ScriptedModel model = chat("raed", "{}");

        assertThat(model.result.text()).isEqualTo("no tool raed\n" + LESSON);
        assertThat(guard.reported).containsExactly("failed raed {} exit=null no tool raed");
    }

    @Test
    void agent_toolWorks_resultIsUntouched() {
        ScriptedModel model = chat("find", "{\"name\":\"here\"}");

        assertThat(model.result.text()).isEqualTo("found here");
        assertThat(guard.reported).containsExactly("succeeded find {\"name\":\"here\"}");
    }

    @Test
    void process_fails_outputEndsWithAdvice() throws InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        String shown = new GuardedProcess(guard, "s1").run(List.of(java, "-cp", "nowhere", "com.acme.Main"));

        assertThat(shown).contains("com.acme.Main").endsWith("\n" + LESSON);
        assertThat(guard.reported)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("failed java " + java + " -cp nowhere com.acme.Main exit=1 ");
    }

    @Test
    void process_isNoProgram_isAFailureLikeAnyOther() throws InterruptedException {
        String shown = new GuardedProcess(guard, "s1").run(List.of("no-such-program-anywhere", "--now"));

        assertThat(shown).contains("no-such-program-anywhere").endsWith("\n" + LESSON);
        assertThat(guard.reported).hasSize(1);
    }

    @Test
    void process_works_outputIsUntouched() throws InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

        assertThat(new GuardedProcess(guard, "s1").run(List.of(java, "-version")))
                .doesNotContain(LESSON);
        assertThat(guard.reported).containsExactly("succeeded java " + java + " -version");
    }

    private ScriptedModel chat(String tool, String arguments) {
        ScriptedModel model = new ScriptedModel(tool, arguments);
        MinimalAgent memory =
                new MinimalAgent(guard, result -> result.resultText().startsWith("Error"));
        memory.install(AiServices.builder(Assistant.class).chatModel(model), ToolService.findTools(new Tools()))
                .build()
                .chat("go on");
        return model;
    }

    interface Assistant {
        String chat(String message);
    }

    static final class Tools {
        @Tool
        String read(@P(name = "path", value = "the file") String path) throws IOException {
            throw new IOException(path + " is not there");
        }

        @Tool
        String find(@P(name = "name", value = "the package") String name) {
            return name.equals("here") ? "found here" : "Error: nothing like " + name;
        }
    }

    /** Calls one tool, and is content with whatever it then reads. */
    private static final class ScriptedModel implements ChatModel {
        private final ToolExecutionRequest request;
        private ToolExecutionResultMessage result;

        ScriptedModel(String tool, String arguments) {
            request = ToolExecutionRequest.builder()
                    .id("call-1")
                    .name(tool)
                    .arguments(arguments)
                    .build();
            result = ToolExecutionResultMessage.from(request, "not read");
        }

        @Override
        public ChatResponse doChat(ChatRequest chat) {
            ChatMessage last = chat.messages().get(chat.messages().size() - 1);
            boolean answered = last instanceof ToolExecutionResultMessage;
            if (last instanceof ToolExecutionResultMessage read) {
                result = read;
            }
            return ChatResponse.builder()
                    .aiMessage(answered ? AiMessage.from("done") : AiMessage.from(request))
                    .build();
        }
    }
}
