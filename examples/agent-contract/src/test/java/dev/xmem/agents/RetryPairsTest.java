package dev.xmem.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.ToolCall;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.agents.RetryPairs.Scenario;
import dev.xmem.agents.RetryPairs.Step;
import dev.xmem.core.XMem;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** The scenarios of retries through the guard. */
class RetryPairsTest {
    private static boolean isTold(Scenario scenario, BiFunction<Step, String, ToolCall> form) {
        try (XMemStore store =
                XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(60)).open()) {
            ToolGuard guard = store.guard();
            int number = 0;
            for (Step step : scenario.steps()) {
                step.report(guard, form.apply(step, "monday").callId("monday-" + number++));
            }
            store.flush();
            Advice advice = guard.failed(
                    form.apply(scenario.failure(), "tuesday"),
                    scenario.failure().result());
            return scenario.isTold(advice.text());
        }
    }

    /** The scenarios that are told although they are no fix, or not told although they are. */
    private static List<Scenario> wrong(boolean isFix, BiFunction<Step, String, ToolCall> form) {
        return RetryPairs.all().stream()
                .filter(scenario -> scenario.isFix() == isFix)
                .filter(scenario -> isTold(scenario, form) != isFix)
                .toList();
    }

    @Test
    void scenarios_halfOfThem_areFalseFixes() {
        List<Scenario> all = RetryPairs.all();
        assertThat(all).extracting(Scenario::id).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(60);
        assertThat(all.stream().filter(Scenario::isFix)).hasSizeBetween(all.size() * 2 / 5, all.size() * 3 / 5);
    }

    @Test
    void guard_falseFixes_tellsNone() {
        assertThat(wrong(false, Step::call)).isEmpty();
        assertThat(wrong(false, Step::shell)).isEmpty();
    }

    @Test
    void guard_trueFixes_tellsThem() {
        assertThat(wrong(true, Step::call)).as("as JSON").isEmpty();
        assertThat(wrong(true, Step::shell)).as("as shell lines").isEmpty();
    }
}
