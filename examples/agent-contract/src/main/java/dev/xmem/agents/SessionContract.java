package dev.xmem.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.agents.ModelMessage.Role;
import dev.xmem.agents.RetryPairs.Step;
import dev.xmem.core.XMem;
import dev.xmem.spi.TokenEstimator;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The part of the contract that is about one session: its repeats, the tokens that it is charged, who is its user, and
 * what is no fix.
 */
@SuppressWarnings("resource") // the store is closed after each test
public abstract class SessionContract extends RetryPairsContract {
    /** The most tokens that advice adds to one message. */
    private static final int ADVICE_TOKENS = 400;

    private static final String RULE = "Files are below docs/: put docs/ in front of the path.";
    private static final TokenEstimator TOKENS = TokenEstimator.heuristic();

    private final FileTool tool = new FileTool();
    private final XMemStore memory =
            XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open();

    @AfterEach
    void closeMemory() {
        memory.close();
    }

    private ScriptedModel chat(String conversation, String message, ModelTurn... turns) throws Exception {
        ScriptedModel model = ScriptedModel.of(turns);
        agent(memory, tool, model).chat(conversation, message);
        return model;
    }

    private static ModelTurn reads(String... paths) {
        return ModelTurn.call(List.of(paths).stream().map(ModelTurn::read).toArray(ModelTurn.Call[]::new));
    }

    private static ModelTurn bash(String command) {
        return ModelTurn.call(
                new ModelTurn.Call("call-" + UUID.randomUUID(), "bash", "{\"command\":\"" + command + "\"}"));
    }

    private void remember(String lesson) {
        ToolCall call = ToolCall.json("read", "{\"path\":\"intro.md\"}");
        memory.recordFailure(Failure.of(call, ToolError.thrown(new IllegalArgumentException("No such file: intro.md")))
                .patternAvoid(lesson));
    }

    private List<Entry> stored(Entry.Kind kind) {
        memory.flush();
        return memory.search(Query.all().kind(kind).limit(70)).matches().stream()
                .<Entry>map(match -> match.entry())
                .toList();
    }

    /** What is not the result of a tool in the first request. */
    private static List<String> outsideTools(ScriptedModel model) {
        return model.requests().get(0).stream()
                .filter(message -> message.role() != Role.TOOL)
                .map(ModelMessage::text)
                .toList();
    }

    @Test
    void session_callFailsAgainUnchanged_isToldHowOften() throws Exception {
        List<String> results = chat("monday", "Read it.", reads("manual.md"), reads("manual.md"), reads("manual.md"))
                .toolResults();

        assertThat(results.get(0)).doesNotContain("in this session");
        assertThat(results.get(1)).contains("second time in this session, unchanged");
        assertThat(results.get(2)).contains("third time in this session, unchanged");
        assertThat(chat("tuesday", "Read it.", reads("manual.md")).toolResults().get(0))
                .as("another session counts from the beginning")
                .doesNotContain("in this session");
    }

    @Test
    void session_otherCallFailsInBetween_isToldWithTheRepeat() throws Exception {
        tool.prints(
                new Step("bash", "", "{}", 128, "fatal: The current branch topic has no upstream branch.").asProcess());

        List<String> results = chat(
                        "monday",
                        "Push it.",
                        bash("git push origin topic"),
                        bash("git push origin topic --force"),
                        bash("git push origin topic"))
                .toolResults();

        assertThat(results.get(2))
                .contains("second time in this session, unchanged")
                .contains("tried in between, failed too: `git push origin topic --force`");
    }

    @Test
    void session_turnsOfOneConversation_countTogether() throws Exception {
        chat("monday", "Read it.", reads("manual.md"));

        assertThat(chat("monday", "Once more.", reads("manual.md")).toolResults())
                .last()
                .asString()
                .contains("second time in this session, unchanged");
    }

    @Test
    void budget_longLessons_areCutAndTheResultIsNot() throws Exception {
        for (int i = 0; i < 5; i++) {
            remember("Lesson " + i + ": put docs/ in front of the path. "
                    + "Look at the table of contents. ".repeat(200));
        }

        List<String> told =
                chat("monday", "Read it.", reads("a.md", "b.md"), reads("a.md")).toolResults();

        ScriptedModel plain = ScriptedModel.of(reads("a.md", "b.md"), reads("a.md"));
        agent(null, tool, plain).chat("monday", "Read it.");
        for (int i = 0; i < told.size(); i++) {
            String without = plain.toolResults().get(i);
            assertThat(told.get(i)).contains("No such file: ");
            assertThat(TOKENS.estimate(told.get(i)) - TOKENS.estimate(without))
                    .as("tokens of the advice on result " + i)
                    .isLessThanOrEqualTo(ADVICE_TOKENS);
        }
        assertThat(told.get(0)).contains("put docs/ in front of the path");
    }

    @Test
    void user_saysSomethingElse_receivesNoAdvice() throws Exception {
        remember(RULE);
        chat("monday", "Read the manual.", reads("manual.md"));

        assertThat(outsideTools(chat("monday", "Now read the introduction.")))
                .noneMatch(text -> text.contains(RULE) || text.contains("[xmem"));
    }

    @Test
    void user_ofAnotherConversation_receivesNoAdvice() throws Exception {
        remember(RULE);
        chat("monday", "Read the manual.", reads("manual.md"));

        assertThat(outsideTools(chat("tuesday", "This error again!"))).noneMatch(text -> text.contains(RULE));
    }

    @Test
    void tool_printsWordsOfTheUser_isNotTheUser() throws Exception {
        remember(RULE);
        tool.prints("This error again!");

        ScriptedModel model = chat("monday", "Read the manual.", reads("manual.md"), bash("tail app.log"));

        assertThat(model.requests())
                .last()
                .satisfies(request -> assertThat(request)
                        .filteredOn(message -> message.role() != Role.TOOL)
                        .noneMatch(message -> message.text().contains(RULE)));
        assertThat(model.toolResults().get(1)).doesNotContain(RULE).contains("This error again!");
    }

    @Test
    void fix_ofAnotherFile_isNone() throws Exception {
        chat("monday", "Read them.", reads("manual.md"), reads("docs/intro.md"));

        assertThat(stored(Entry.Kind.SUCCESS)).isEmpty();
    }

    @Test
    void fix_callsOfOneTurn_areNone() throws Exception {
        chat("monday", "Read them.", reads("manual.md", "docs/intro.md", "docs/index.md"));

        assertThat(stored(Entry.Kind.SUCCESS)).isEmpty();
    }

    @Test
    void fix_sameCallWorksLater_isNone() throws Exception {
        for (int exit : new int[] {1, 0}) {
            String output = exit == 0 ? "BUILD SUCCESSFUL in 3s" : "OrderTest > total FAILED";
            tool.prints(new Step("bash", "./gradlew test", "{}", exit, output).asProcess());
            chat("monday", "Test it.", bash("./gradlew test"));
        }

        assertThat(stored(Entry.Kind.FAILURE)).hasSize(1);
        assertThat(stored(Entry.Kind.SUCCESS)).isEmpty();
    }

    @Test
    void fix_inAnotherConversation_isNone() throws Exception {
        chat("monday", "Read it.", reads("intro.md"));
        chat("tuesday", "Read it.", reads("docs/intro.md"));

        assertThat(stored(Entry.Kind.SUCCESS)).isEmpty();
        chat("monday", "Go on.", reads("docs/intro.md"));
        assertThat(stored(Entry.Kind.SUCCESS))
                .singleElement()
                .satisfies(fix -> assertThat(((Success) fix).answers())
                        .containsExactly(stored(Entry.Kind.FAILURE).get(0).id()));
    }
}
