package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.GuardListener;
import dev.xmem.Outcome;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a listener hears of a guard. */
class GuardListenerTest {
    private static final ToolError PUSHED = ToolError.exit(0, "branch 'topic' set up to track 'origin/topic'.");

    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final GuardListener listener = new GuardListener() {
        @Override
        public void answered(Question question, ToolCall call, Advice advice, Duration took) {
            assertThat(took).isPositive();
            heard.add(question + " " + (call == null ? "-" : call.action()) + " " + advice.status() + " "
                    + advice.seen());
        }

        @Override
        public void followed(String entryId, Outcome outcome) {
            heard.add(entryId + " " + outcome);
        }
    };

    @Test
    void answers_areHeardInOrder_andAVoteOnceItIsWritten() {
        try (XMemStore store = Guarded.builder().guardListener(listener).open()) {
            String lesson = store.recordFailure(
                            Failure.of(shell("old", "git push"), NO_UPSTREAM).patternAvoid("git push -u origin topic"))
                    .id();
            ToolGuard guard = store.guard();

            guard.failed(shell("s", "git push"), NO_UPSTREAM);
            guard.failed(shell("s", "git push -u origin topic"), PUSHED);
            guard.userSaid("s", "thank you");
            store.flush();

            assertThat(heard)
                    .containsExactly(
                            "FAILED push FOUND 1",
                            "FAILED push -u origin topic TRIVIAL 0",
                            "USER_SAID - NOTHING_RELEVANT 0",
                            lesson + " WORKED");
        }
    }

    @Test
    void listenerThrows_guardAnswersAndTheNextListenerHears() {
        GuardListener broken = new GuardListener() {
            @Override
            public void answered(Question question, ToolCall call, Advice advice, Duration took) {
                throw new StackOverflowError();
            }

            @Override
            public void followed(String entryId, Outcome outcome) {
                throw new StackOverflowError();
            }
        };
        try (XMemStore store =
                Guarded.builder().guardListener(broken).guardListener(listener).open()) {
            Advice advice = store.guard().failed(shell("s", "git push"), NO_UPSTREAM);

            assertThat(advice.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
            assertThat(heard).containsExactly("FAILED push NOTHING_RELEVANT 0");
            store.flush();
            assertThat(store.stats().failures()).isOne();

            String lesson = store.recordFailure(
                            Failure.of(shell("old", "git push"), NO_UPSTREAM).patternAvoid("git push -u origin topic"))
                    .id();
            store.guard().failed(shell("t", "git push"), NO_UPSTREAM);
            store.guard().failed(shell("t", "git push -u origin topic"), PUSHED);
            store.guard().userSaid("t", "thank you");
            store.flush();
            assertThat(heard).contains(lesson + " WORKED");
        }
    }

    @Test
    void closedStore_isHeardAsUnavailable() {
        XMemStore store = Guarded.builder().guardListener(listener).open();
        ToolGuard guard = store.guard();
        store.close();

        guard.before(shell("s", "git push"));

        assertThat(heard).containsExactly("BEFORE push UNAVAILABLE 0");
    }
}
