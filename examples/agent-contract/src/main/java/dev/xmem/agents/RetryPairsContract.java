package dev.xmem.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.XMemStore;
import dev.xmem.agents.RetryPairs.Scenario;
import dev.xmem.agents.RetryPairs.Step;
import dev.xmem.core.XMem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The part of the contract that tells a fix from a call that only looks like one: the command lines of
 * {@link RetryPairs}, run by the agent's tool {@code bash}.
 */
public abstract class RetryPairsContract {
    /** An agent built with a framework. */
    public interface Agent {
        /**
         * Runs the framework's loop until the model is done.
         *
         * @param conversation the conversation id
         * @return the answer to the user
         */
        String chat(String conversation, String message) throws Exception;
    }

    /**
     * Builds an agent with the tools {@code read} and {@code bash} of {@link FileTool}. A result that begins
     * with "Error" is a soft failure.
     *
     * @param memory its memory; null for the same agent without the adapter
     */
    protected abstract Agent agent(@Nullable XMemStore memory, FileTool tools, ScriptedModel model);

    /**
     * Builds the same agent, which ends its loop after a number of unchanged repeats.
     *
     * @param memory its memory
     */
    protected abstract Agent stoppingAgent(XMemStore memory, FileTool tools, ScriptedModel model, int stopAfter);

    /** Whether the framework runs several calls of one turn at the same time. */
    protected boolean runsToolsConcurrently() {
        return true;
    }

    private boolean isTold(Scenario scenario, Function<Step, String> result) {
        try (XMemStore store =
                XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open()) {
            for (Step step : scenario.steps()) {
                run(store, "monday", step, result);
                store.flush();
            }
            return scenario.isTold(run(store, "tuesday", scenario.failure(), result));
        }
    }

    /** The tool result that the model receives. */
    private String run(XMemStore store, String conversation, Step step, Function<Step, String> result) {
        FileTool tool = new FileTool();
        tool.prints(result.apply(step));
        ScriptedModel model = ScriptedModel.of(
                ModelTurn.call(new ModelTurn.Call("call-" + UUID.randomUUID(), "bash", step.arguments())));
        try {
            stoppingAgent(store, tool, model, 0).chat(conversation, "Go on.");
        } catch (Exception e) {
            throw new AssertionError("the agent failed at " + step, e);
        }
        return model.toolResults().get(0);
    }

    private static List<Scenario> scenarios(boolean isFix) {
        return RetryPairs.all().stream()
                .filter(scenario ->
                        scenario.isFix() == isFix && scenario.steps().stream().allMatch(step -> step.command() != null))
                .toList();
    }

    private String bash(XMemStore store, String command, int exit, String output) {
        Step step = new Step("bash", command, "{\"command\":\"" + command + "\"}", exit, output);
        String result = run(store, "monday", step, Step::asProcess);
        store.flush();
        return result;
    }

    @Test
    void agent_solvesAFailureWithoutALesson_isToldOnceHowToNoteIt() {
        try (XMemStore store = XMem.inMemoryBuilder()
                .guardLimit(Duration.ofSeconds(60))
                .lessonHint(id -> "note it for " + id)
                .open()) {
            List<String> solved = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                bash(store, "./gradlew test", 1, "OrderTest > total FAILED");
                bash(store, "sed -i s/3/4/ Order.java", 0, "");
                solved.add(bash(store, "./gradlew test", 0, "BUILD SUCCESSFUL in 3s"));
            }
            assertThat(solved.get(0)).contains("note it for ");
            assertThat(solved.get(1)).doesNotContain("note it for ");
        }
    }

    @Test
    void agent_falseFixes_tellsNone() {
        assertThat(scenarios(false)).hasSizeGreaterThan(30).noneMatch(scenario -> isTold(scenario, Step::asProcess));
        assertThat(scenarios(false)).as("without exit codes").noneMatch(scenario -> isTold(scenario, Step::output));
    }

    @Test
    void agent_trueFixes_tellsThem() {
        assertThat(scenarios(true)).hasSizeGreaterThan(25).allMatch(scenario -> isTold(scenario, Step::asProcess));
    }
}
