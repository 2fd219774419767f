package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The failures that an agent asks about; every event is in a store of its own, as if in a process of its own. */
class AskedFailuresTest {
    private static final ToolCall PUSH = ToolCall.json("git", "push origin topic");

    @TempDir
    Path directory;

    private <T> T with(Function<XMemStore, T> event) {
        try (XMemStore store = XMem.builder(directory)
                .guardLimit(Duration.ofSeconds(60))
                .sharedSessions()
                .open()) {
            return event.apply(store);
        }
    }

    private <T> T shared(Function<ToolGuard, T> event) {
        return with(store -> event.apply(store.guard()));
    }

    private Advice asks(ToolCall call) {
        return shared(guard -> guard.recall(call.session("s"), NO_UPSTREAM));
    }

    private Advice fails() {
        return shared(guard -> guard.failed(shell("s", "git push origin topic"), NO_UPSTREAM));
    }

    private long failures() {
        return with(store -> store.stats().failures());
    }

    @Test
    void recall_inASessionThatIsNotReported_countsRepeatsAndRecordsNothing() {
        assertThat(asks(PUSH).repeats()).isEqualTo(1);
        assertThat(asks(PUSH).repeats()).isEqualTo(2);
        Advice third = asks(PUSH);

        assertThat(third.repeats()).isEqualTo(3);
        assertThat(third.text()).contains("third time in this session, unchanged");
        assertThat(asks(ToolCall.json("git", "push origin other")).repeats()).isEqualTo(1);
        assertThat(failures()).isZero();
    }

    @Test
    void recall_ofAReportedFailure_isNotCountedTwice() {
        fails();
        Advice first = asks(PUSH);
        Advice second = asks(PUSH);
        fails();
        Advice again = asks(PUSH);

        assertThat(first.repeats()).isEqualTo(1);
        assertThat(second.repeats()).isEqualTo(1);
        assertThat(again.repeats()).isEqualTo(2);
        assertThat(again.text()).contains("second time in this session, unchanged");
        assertThat(fails().repeats()).isEqualTo(3);
        assertThat(failures()).isEqualTo(1);
    }

    @Test
    void recall_feedsTheSession() {
        asks(PUSH);

        Advice complaint = shared(guard -> guard.userSaid("s", "why does this keep failing?"));

        assertThat(complaint.text()).contains("failed in this session", "git push origin topic");
    }

    @Test
    void recall_thenAFix_isAPairOnlyIfTheFailureIsKnown() {
        String id =
                with(store -> store.recordFailure(Failure.of(shell("earlier", "git push origin topic"), NO_UPSTREAM))
                        .id());
        asks(PUSH);
        shared(guard -> {
            guard.succeeded(shell("s", "git push -u origin topic"));
            return true;
        });

        assertThat(asks(PUSH).text()).contains("worked:", "git push -u origin topic", id);
    }

    @Test
    void recall_withoutASessionOrOfATrivialFailure_isOnlyAnswered() {
        for (int i = 0; i < 2; i++) {
            assertThat(shared(guard -> guard.recall(PUSH, NO_UPSTREAM)).repeats())
                    .isZero();
            assertThat(shared(guard -> guard.recall(PUSH.session("s"), ToolError.exit(130, "^C")))
                            .repeats())
                    .isZero();
        }
    }

    @Test
    void recall_ofANetworkFailure_isNoSecondOccurrence() {
        ToolError reset = ToolError.exit(128, "fatal: unable to access: Connection reset by peer");
        shared(guard -> guard.failed(shell("s", "git fetch"), reset));
        shared(guard -> guard.recall(ToolCall.json("git", "fetch").session("s"), reset));

        assertThat(failures()).isZero();
    }
}
