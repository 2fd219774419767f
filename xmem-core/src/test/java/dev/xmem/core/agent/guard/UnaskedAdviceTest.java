package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** After a failure a guard tells what helps, or that the call repeats, and nothing else. */
class UnaskedAdviceTest {
    private final Guarded memory = new Guarded();

    @AfterEach
    void close() {
        memory.close();
    }

    private Advice pushes(String session) {
        memory.store.flush();
        return memory.guard.failed(shell(session, "git push"), NO_UPSTREAM);
    }

    @Test
    void failed_knownWithoutLesson_isSilent() {
        pushes("a");
        pushes("b");
        Advice third = pushes("c");
        assertThat(third.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(third.isEmpty()).isTrue();
        assertThat(third.reason()).contains("seen 2 times", "no lesson and no fix is known");
        assertThat(third.seen()).isEqualTo(2);
        assertThat(third.ctxHash()).isEqualTo(Guarded.NO_UPSTREAM_HASH);
    }

    @Test
    void failed_againWithoutLesson_tellsTheRepeatAlone() {
        pushes("a");
        assertThat(pushes("a").text()).contains("second time in this session").doesNotContain("seen ");
    }

    @Test
    void failed_withOtherOptionsWithoutLesson_isSilent() {
        pushes("a");
        memory.store.flush();
        Advice similar = memory.guard.failed(shell("b", "git push --tags"), NO_UPSTREAM);
        assertThat(similar.text()).isEmpty();
    }

    @Test
    void failed_withLessonOrNotes_isTold() {
        memory.store.recordFailure(
                Failure.of(shell("a", "git push"), NO_UPSTREAM).notes("the remote moved in May"));
        assertThat(pushes("b").text()).contains("seen 1×", "the remote moved in May");
    }

    @Test
    void failed_criticalWithoutLesson_isTold() {
        memory.store.recordFailure(
                Failure.of(shell("a", "git push"), NO_UPSTREAM).blockLevel(Failure.BlockLevel.CRITICAL));
        memory.store.flush();
        assertThat(pushes("b").text()).contains("seen 1×");
    }

    @Test
    void recall_askedForWithoutLesson_isAnswered() {
        pushes("a");
        memory.store.flush();
        assertThat(memory.guard.recall(shell("b", "git push"), NO_UPSTREAM).text())
                .contains("seen 1×");
    }
}
