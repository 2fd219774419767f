package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolError;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Warnings before calls that failed with a context hash that tells no cause: the lesson is told, but never as critical,
 * because nothing shows that the next failure has the same cause.
 */
class CatchAllWarningTest {
    private static final ToolError FAILED = failed("deploy stage two did not come up");
    private static final String LESSON = "Ask the release manager to lift the freeze";

    private final Guarded memory = new Guarded();

    @AfterEach
    void close() {
        memory.close();
    }

    private static ToolError failed(String line) {
        return ToolError.exit(2, line + "\nmake: *** [Makefile:7: deploy] Error 2");
    }

    private void record(ToolError error, Failure.BlockLevel level, String... sessions) {
        for (String session : sessions) {
            memory.store.recordFailure(Failure.of(shell(session, "make deploy"), error)
                    .patternAvoid(LESSON)
                    .blockLevel(level));
        }
    }

    private Advice before() {
        memory.guard.warmUp();
        memory.store.flush();
        return memory.guard.before(shell("today", "make deploy"));
    }

    @Test
    void criticalFailure_sameMessageInTwoSessions_isWarnedButNotAsCritical() {
        record(FAILED, Failure.BlockLevel.CRITICAL, "a", "b");

        Advice warning = before();
        Advice advice = memory.guard.failed(shell("today", "make deploy"), FAILED);

        assertThat(memory.failures().get(0).ctxHash()).isEqualTo("make-run-command-failed");
        assertThat(warning.text()).contains(LESSON);
        assertThat(warning.level()).isEqualTo(Failure.BlockLevel.WARNING);
        assertThat(advice.text()).contains("a similar failure", LESSON);
        assertThat(advice.level()).isEqualTo(Failure.BlockLevel.WARNING);
    }

    @Test
    void criticalFailure_thatNamesItsCause_isWarnedAsCritical() {
        ToolError frozen = ToolError.exit(2, "deploy: the cluster prod is frozen until Monday");
        record(frozen, Failure.BlockLevel.CRITICAL, "a", "b");

        assertThat(memory.failures().get(0).ctxHash()).isEqualTo("make-run-cluster-frozen");
        assertThat(before().level()).isEqualTo(Failure.BlockLevel.CRITICAL);
    }

    @Test
    void criticalFailure_inOneSessionAmongOthers_isSilent() {
        record(FAILED, Failure.BlockLevel.CRITICAL, "a");
        List<String> others = List.of("widget 17 is blue", "the horse left the stable", "tray two holds no paper");
        for (int i = 0; i < others.size(); i++) {
            memory.store.recordFailure(Failure.of(shell("o" + i, "make deploy"), failed(others.get(i))));
        }

        assertThat(before().text()).doesNotContain(LESSON);
    }
}
