package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The warnings before a call. */
class WarningCacheTest {
    private static final String LESSON = "Set the upstream: git push -u origin HEAD";

    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    private void pushFailed(String session) {
        memory.store.recordFailure(
                Failure.of(shell(session, "git push"), NO_UPSTREAM).patternAvoid(LESSON));
    }

    private Advice before(String session, String line) {
        memory.store.flush();
        return guard.before(shell(session, line));
    }

    @Test
    void before_nothingKnown_isSilent() {
        Advice advice = before("s", "git push");
        assertThat(advice.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(advice.isEmpty()).isTrue();
    }

    @Test
    void before_failedOnce_isSilent() {
        pushFailed("a");
        assertThat(before("s", "git push").isEmpty()).isTrue();
    }

    @Test
    void before_failedOftenInOneSession_isSilent() {
        pushFailed("a");
        pushFailed("a");
        pushFailed("a");
        assertThat(before("s", "git push").isEmpty()).isTrue();
    }

    /** A call without arguments is the same operation, however its output is read. */
    @Test
    void before_bareCallFailedWithAndWithoutPipe_warns() {
        ToolError noMakefile = ToolError.exit(2, "make: *** No targets specified and no makefile found.  Stop.");
        for (String line : List.of("make", "make; echo finished")) {
            memory.store.recordFailure(Failure.of(shell(line, line), noMakefile).patternAvoid(LESSON));
        }
        for (String line : List.of("make", "make || true", "make 2>&1 | tail -3")) {
            assertThat(before("s", line).text()).as(line).contains(LESSON);
        }
    }

    @Test
    void before_failedInTwoSessions_warns() {
        pushFailed("a");
        pushFailed("b");
        Advice advice = before("s", "git push");
        assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(advice.level()).isEqualTo(Failure.BlockLevel.WARNING);
        assertThat(advice.text()).startsWith("\n").contains(LESSON);
        assertThat(advice.reason()).contains("2 sessions");
        assertThat(advice.recordedId()).isNull();
    }

    /** Before a call the model has not read the error. */
    @Test
    void before_warning_saysWhatFailed() {
        pushFailed("a");
        pushFailed("b");
        assertThat(before("s", "git push").text().lines().skip(2))
                .first()
                .asString()
                .isEqualTo("failed before: fatal: The current branch topic has no upstream branch.");
    }

    @Test
    void before_warningAboutALongError_cutsIt() {
        ToolError error = ToolError.exit(1, "error: " + "the pack is corrupt at its end ".repeat(8));
        for (String session : List.of("a", "b")) {
            memory.store.recordFailure(
                    Failure.of(shell(session, "git push"), error).patternAvoid(LESSON));
        }
        String line = before("s", "git push").text().lines().toList().get(2);
        assertThat(line).startsWith("failed before: error: the pack is corrupt").hasSizeLessThan(120);
    }

    @Test
    void before_criticalOnce_isNotCritical() {
        memory.store.recordFailure(Failure.of(shell("a", "git push"), NO_UPSTREAM)
                .patternAvoid(LESSON)
                .blockLevel(Failure.BlockLevel.CRITICAL));
        Advice advice = before("s", "git push");
        assertThat(advice.level()).isEqualTo(Failure.BlockLevel.WARNING);
        assertThat(advice.isEmpty()).isTrue();
    }

    @Test
    void before_criticalAndRepeated_isCritical() {
        memory.store.recordFailure(
                Failure.of(shell("a", "git push"), NO_UPSTREAM).blockLevel(Failure.BlockLevel.CRITICAL));
        memory.store.recordFailure(Failure.of(shell("b", "git push"), NO_UPSTREAM));
        Advice advice = before("s", "git push");
        assertThat(advice.level()).isEqualTo(Failure.BlockLevel.CRITICAL);
        assertThat(advice.text()).isNotEmpty();
    }

    @Test
    void before_noLessonAndNotCritical_isSilent() {
        memory.store.recordFailure(Failure.of(shell("a", "git push"), NO_UPSTREAM));
        memory.store.recordFailure(Failure.of(shell("b", "git push"), NO_UPSTREAM));
        assertThat(before("s", "git push").isEmpty()).isTrue();
    }

    @Test
    void before_callOfAnotherForm_isSilent() {
        pushFailed("a");
        pushFailed("b");
        assertThat(before("s", "git push -u origin HEAD").isEmpty()).isTrue();
        assertThat(before("s", "git fetch").isEmpty()).isTrue();
        assertThat(before("s", "cd /repo && git push").text()).contains(LESSON);
    }

    @Test
    void before_oneCauseOfMany_isSilent() {
        pushFailed("a");
        pushFailed("b");
        String[] causes = {
            "fatal: Authentication failed for 'https://a.example/x.git'",
            "error: failed to push some refs\n ! [rejected] main -> main (non-fast-forward)",
            "fatal: 'origin' does not appear to be a git repository"
        };
        for (String cause : causes) {
            memory.store.recordFailure(Failure.of(shell("c", "git push"), ToolError.exit(128, cause)));
        }
        assertThat(before("s", "git push").isEmpty()).isTrue();
    }

    @Test
    void before_warnedCallThatWorked_isRefutedUntilItFailsAgain() {
        pushFailed("a");
        pushFailed("b");
        assertThat(before("s", "git push").isEmpty()).isFalse();
        guard.succeeded(shell("s", "git push"));
        assertThat(before("t", "git push").isEmpty()).isTrue();
        pushFailed("c");
        assertThat(before("u", "git push").isEmpty()).isFalse();
    }

    @Test
    void before_warnedCallThatWorked_isAVoteAgainstTheAdvice() {
        pushFailed("a");
        pushFailed("b");
        before("s", "git push");
        guard.succeeded(shell("s", "git push"));
        memory.store.flush();
        String id = memory.failures().get(1).id();
        assertThat(memory.store.reportOutcome(id, Outcome.IRRELEVANT, "s"))
                .as("the session has voted")
                .isFalse();
    }

    @Test
    void before_adviceFollowed_isAVoteForIt() {
        pushFailed("a");
        pushFailed("b");
        before("s", "git push");
        guard.succeeded(shell("s", "git push -u origin HEAD"));
        memory.store.flush();
        String id = memory.failures().get(1).id();
        assertThat(memory.store.reportOutcome(id, Outcome.WORKED, "s")).isFalse();
        assertThat(before("t", "git push").text()).as("it is not refuted").contains(LESSON);
    }

    @Test
    void before_newGuardOnAKnownStore_warnsAtOnce() {
        pushFailed("a");
        pushFailed("b");
        try (Guarded other = new Guarded()) {
            memory.failures()
                    .forEach(failure ->
                            other.store.recordFailure(Failure.of(failure.tool(), failure.action(), failure.error())
                                    .patternAvoid(LESSON)));
            assertThat(other.failures()).hasSize(2);
            assertThat(other.guard.before(ToolCall.shell("git push")).text()).contains(LESSON);
        }
    }
}
