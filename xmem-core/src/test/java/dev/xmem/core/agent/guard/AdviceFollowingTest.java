package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.Success;
import dev.xmem.ToolGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Advice that was followed gets votes, and other advice gets none. */
class AdviceFollowingTest {
    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    private String learned(String lesson) {
        return memory.store
                .recordFailure(
                        Failure.of(shell("monday", "git push"), NO_UPSTREAM).patternAvoid(lesson))
                .id();
    }

    /** Whether the session has voted on the entry; if not, this method votes. */
    private boolean hasVoted(String id, String session) {
        memory.store.flush();
        return !memory.store.reportOutcome(id, Outcome.IRRELEVANT, session);
    }

    @Test
    void succeeded_asAdvised_isAVote() {
        String id = learned("Set the upstream: `git push -u origin HEAD`.");
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", "git push -u origin HEAD"));
        assertThat(hasVoted(id, "s")).isTrue();
        assertThat(hasVoted(id, "t")).isFalse();
    }

    @Test
    void succeeded_asAPairAdvised_raisesItsUse() {
        guard.failed(shell("a", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("a", "git push -u origin HEAD"));
        Success pair = memory.successes().get(0);
        guard.failed(shell("b", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("b", "git push -u origin HEAD"));
        memory.store.flush();
        Success after = (Success) memory.store.find(pair.id()).orElseThrow();
        assertThat(after.usageCount()).isEqualTo(pair.usageCount() + 1);
        assertThat(after.confidence()).isGreaterThan(pair.confidence());
    }

    @Test
    void succeeded_otherwiseThanAdvised_isNoVote() {
        String id = learned("Ask the owner of the repository for the right to push.");
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", "git push -u origin HEAD"));
        assertThat(hasVoted(id, "s")).isFalse();
    }

    @Test
    void succeeded_withTheStepThatWasAdvised_isAVote() {
        String id = learned("Run `git remote add origin URL` before.");
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.succeeded(shell("s", "git remote add origin git@a.example:x.git"));
        guard.succeeded(shell("s", "git push --all"));
        assertThat(hasVoted(id, "s")).isTrue();
    }

    @Test
    void failed_againAlthoughAsAdvised_isAVoteAgainstIt() {
        String id = learned("Try `git push --force-with-lease`.");
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.failed(shell("s", "git push --force-with-lease"), NO_UPSTREAM);
        assertThat(hasVoted(id, "s")).isTrue();
    }

    @Test
    void failed_againOtherwise_isNoVote() {
        String id = learned("Try `git push --force-with-lease`.");
        guard.failed(shell("s", "git push"), NO_UPSTREAM);
        guard.failed(shell("s", "git push -v"), NO_UPSTREAM);
        assertThat(hasVoted(id, "s")).isFalse();
    }
}
