package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM_HASH;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Directive;
import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The advice that an agent gets from a guard, and the entries that are recorded. */
class ToolGuardTest {
    private static final String LESSON = "Set the upstream: git push -u origin HEAD";

    private final Guarded memory = new Guarded();
    private final ToolGuard guard = memory.guard;

    @AfterEach
    void close() {
        memory.close();
    }

    private void learned() {
        memory.store.recordFailure(
                Failure.of(shell("monday", "git push"), NO_UPSTREAM).patternAvoid(LESSON));
    }

    @Test
    void guard_askedTwice_isTheSame() {
        assertThat(memory.store.guard()).isSameAs(guard);
    }

    @Test
    void failed_knownFailure_isAnsweredInTheSameCall() {
        learned();
        Advice advice = guard.failed(shell("tuesday", "git push"), NO_UPSTREAM);
        assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(advice.text()).startsWith("\n").contains(LESSON);
        assertThat(advice.tokens()).isPositive();
    }

    @Test
    void failed_unknownFailure_isNotUnavailableAndIsRecorded() {
        Advice advice = guard.failed(shell("monday", "git push"), NO_UPSTREAM);
        assertThat(advice.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(advice.text()).isEmpty();
        assertThat(memory.failures()).singleElement().satisfies(failure -> {
            assertThat(failure.ctxHash()).isEqualTo(NO_UPSTREAM_HASH);
            assertThat(failure.sessionId()).isEqualTo("monday");
            assertThat(advice.recordedId()).isEqualTo(failure.id());
        });
    }

    @Test
    void failed_recallFindsNothingOfWhatItRecordsItself() {
        Advice advice = guard.failed(shell("monday", "git push"), NO_UPSTREAM);
        memory.store.flush();
        assertThat(advice.matches()).isEmpty();
        assertThat(guard.failed(shell("tuesday", "git push"), NO_UPSTREAM).seen())
                .isOne();
    }

    @Test
    void failed_sameFailureAgainInASession_isOneLineAnHour() {
        guard.failed(shell("monday", "git push"), NO_UPSTREAM);
        guard.failed(shell("monday", "git push -q"), NO_UPSTREAM);
        guard.failed(shell("tuesday", "git push"), NO_UPSTREAM);
        assertThat(memory.failures()).hasSize(2);
        memory.pass(Duration.ofMinutes(61));
        guard.failed(shell("monday", "git push"), NO_UPSTREAM);
        assertThat(memory.failures()).hasSize(3);
    }

    @Test
    void failed_withoutSession_isRecordedOnce() {
        guard.failed(ToolCall.shell("git push"), NO_UPSTREAM);
        guard.failed(ToolCall.shell("git push"), NO_UPSTREAM);
        assertThat(memory.failures()).hasSize(1).allMatch(failure -> failure.sessionId() == null);
    }

    @Test
    void failed_sameCallIdAgain_isTheSameAnswerAndNoSecondLine() {
        learned();
        ToolCall call = shell("tuesday", "git push").callId("call_1");
        Advice first = guard.failed(call, NO_UPSTREAM);
        Advice second = guard.failed(call, ToolError.text("something quite different failed: no space left on device"));
        assertThat(second).isSameAs(first);
        assertThat(memory.failures()).hasSize(2);
    }

    @Test
    void failed_sameCallIdOfAnotherSession_isAnotherCall() {
        guard.failed(shell("monday", "git push").callId("1"), NO_UPSTREAM);
        guard.failed(shell("tuesday", "git push").callId("1"), NO_UPSTREAM);
        assertThat(memory.failures()).hasSize(2);
    }

    @Test
    void failed_sameCallIdOnceWithoutASession_isOneCall() {
        Advice first = guard.failed(ToolCall.shell("git push").callId("call_7"), NO_UPSTREAM);
        assertThat(guard.failed(shell("monday", "git push").callId("call_7"), NO_UPSTREAM))
                .isSameAs(first);
        Advice other = guard.failed(shell("monday", "git fetch").callId("call_8"), NO_UPSTREAM);
        assertThat(guard.failed(ToolCall.shell("git fetch").callId("call_8"), NO_UPSTREAM))
                .isSameAs(other);
    }

    @Test
    void failed_afterItSucceeded_isNoFailure() {
        ToolCall call = shell("monday", "git push").callId("call_1");
        guard.succeeded(call);
        Advice advice = guard.failed(call, NO_UPSTREAM);
        assertThat(advice.isEmpty()).isTrue();
        assertThat(advice.status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(memory.failures()).isEmpty();
    }

    @Test
    void succeeded_afterItFailed_isNoSuccess() {
        guard.failed(shell("monday", "git push"), NO_UPSTREAM);
        ToolCall call = shell("monday", "git push -u origin HEAD").callId("call_1");
        guard.failed(call, ToolError.exit(128, "fatal: 'origin' does not appear to be a git repository"));
        guard.succeeded(call);
        assertThat(memory.successes()).isEmpty();
    }

    @Test
    void failed_criticalSeenOnce_isAWarning() {
        memory.store.recordFailure(Failure.of(shell("monday", "git push"), NO_UPSTREAM)
                .patternAvoid(LESSON)
                .blockLevel(Failure.BlockLevel.CRITICAL));
        assertThat(guard.failed(shell("tuesday", "git push"), NO_UPSTREAM).level())
                .isEqualTo(Failure.BlockLevel.WARNING);
        memory.store.recordFailure(Failure.of(shell("wednesday", "git push"), NO_UPSTREAM));
        assertThat(guard.failed(shell("thursday", "git push"), NO_UPSTREAM).level())
                .isEqualTo(Failure.BlockLevel.CRITICAL);
    }

    @Test
    void failed_longArguments_areKeptShort() {
        String content = "x".repeat(100_000);
        guard.failed(
                ToolCall.json("write_file", "{\"path\":\"/a/b\",\"content\":\"" + content + "\"}"),
                ToolError.text("Error: EACCES: permission denied, open '/a/b'"));
        assertThat(memory.failures()).singleElement().satisfies(failure -> {
            assertThat(failure.action())
                    .startsWith("{\"path\":\"/a/b\",\"content\":\"xxx")
                    .endsWith("…\"}");
            assertThat(failure.action().length()).isLessThan(1000);
        });
    }

    @Test
    void failed_storeClosed_isUnavailable() {
        memory.store.close();
        assertThat(guard.failed(shell("monday", "git push"), NO_UPSTREAM).status())
                .isEqualTo(Advice.Status.UNAVAILABLE);
        assertThat(guard.before(shell("monday", "git push")).status()).isEqualTo(Advice.Status.UNAVAILABLE);
        assertThat(guard.userSaid("monday", "this error again").status()).isEqualTo(Advice.Status.UNAVAILABLE);
        guard.succeeded(shell("monday", "git push"));
    }

    @Test
    @SuppressWarnings("NullAway")
    void anything_null_isUnavailable() {
        assertThat(guard.failed(null, NO_UPSTREAM).status()).isEqualTo(Advice.Status.UNAVAILABLE);
        assertThat(guard.failed(shell("monday", "git push"), null).status()).isEqualTo(Advice.Status.UNAVAILABLE);
        assertThat(guard.userSaid("monday", null).status()).isEqualTo(Advice.Status.UNAVAILABLE);
        guard.succeeded(null);
        assertThat(guard.flush(null)).isFalse();
        assertThat(guard.flush(Duration.ofSeconds(10))).isTrue();
        assertThat(guard.rules(null)).isEmpty();
        assertThat(guard.explain(null, null)).last().asString().contains("failed");
    }

    @Test
    void failed_callerInterrupted_isAnsweredAndTheFlagKept() {
        learned();
        Thread.currentThread().interrupt();
        Advice advice = guard.failed(shell("tuesday", "git push"), NO_UPSTREAM);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
    }

    @Test
    void failed_readOnlyStore_recallsAndRecordsNothing(@TempDir Path directory) {
        try (XMemStore store = XMem.open(directory)) {
            store.recordFailure(
                    Failure.of(shell("monday", "git push"), NO_UPSTREAM).patternAvoid(LESSON));
        }
        try (XMemStore store = XMem.builder(directory)
                .readOnly()
                .guardLimit(Duration.ofSeconds(60))
                .open()) {
            Advice advice = store.guard().failed(shell("tuesday", "git push"), NO_UPSTREAM);
            assertThat(advice.text()).contains(LESSON);
            assertThat(advice.recordedId()).isNull();
            assertThat(store.stats().guardDropped()).isZero();
        }
    }

    @Test
    void failed_anotherStoreRecordedJustNow_isFound(@TempDir Path directory) {
        XMem.Builder patient = XMem.builder(directory).guardLimit(Duration.ofSeconds(60));
        try (XMemStore store = patient.open();
                XMemStore other = XMem.open(directory)) {
            ToolGuard ours = store.guard();
            other.recordFailure(
                    Failure.of(shell("monday", "git push"), NO_UPSTREAM).patternAvoid(LESSON));
            assertThat(ours.failed(shell("tuesday", "git push"), NO_UPSTREAM).text())
                    .contains(LESSON);
        }
    }

    @Test
    void failed_hasherThatNeverAnswers_isUnavailableAndNothingWaits() {
        CountDownLatch hanging = new CountDownLatch(1);
        ContextHasher slow = new ContextHasher() {
            @Override
            public String id() {
                return "slow";
            }

            @Override
            public ContextHash hash(HashInput input) {
                if (input.error().contains("hang")) {
                    try {
                        hanging.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return ContextHash.of(input.tool(), "", input.error());
            }
        };
        try (XMemStore store = XMem.inMemoryBuilder()
                .hasher(slow)
                .guardLimit(Duration.ofMillis(20))
                .open()) {
            ToolGuard impatient = store.guard();
            for (int i = 0; i < 20; i++) {
                Advice advice = impatient.failed(shell("s" + i, "tool"), ToolError.exit(1, "fatal: hang " + i));
                assertThat(advice.status()).isEqualTo(Advice.Status.UNAVAILABLE);
                assertThat(advice.text()).isEmpty();
            }
            hanging.countDown();
            store.flush();
            assertThat(store.stats().failures()).isEqualTo(20);
        }
    }

    @Test
    void failed_hasherThatThrows_isUnavailable() {
        ContextHasher broken = new ContextHasher() {
            @Override
            public String id() {
                return "broken";
            }

            @Override
            public ContextHash hash(HashInput input) {
                throw new StackOverflowError();
            }
        };
        try (XMemStore store = XMem.inMemoryBuilder().hasher(broken).open()) {
            ToolGuard ours = store.guard();
            assertThat(ours.failed(shell("monday", "git push"), NO_UPSTREAM).status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
            ours.before(shell("monday", "git push"));
            ours.succeeded(shell("monday", "git push"));
        }
    }

    @Test
    void failed_interruptedResultWithExitCodeZero_isTrivial() {
        Advice advice = guard.failed(
                shell("monday", "mvn verify"),
                ToolError.exit(0, "{\"stdout\":\"fatal: x\",\"exit_code\":0,\"interrupted\":true}"));
        assertThat(advice.status()).isEqualTo(Advice.Status.TRIVIAL);
        assertThat(advice.reason()).contains("stopped");
    }

    /** The output of a success is hashed to see whether it is an earlier failure of the session again. */
    @Test
    void failed_hasherHangsOnASuccess_isUnavailable() {
        CountDownLatch hanging = new CountDownLatch(1);
        ContextHasher slow = new ContextHasher() {
            @Override
            public String id() {
                return "slow";
            }

            @Override
            public ContextHash hash(HashInput input) {
                if (input.error().contains("hang")) {
                    try {
                        hanging.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return ContextHash.of(input.tool(), "", "no-upstream");
            }
        };
        try (XMemStore store = XMem.inMemoryBuilder()
                .hasher(slow)
                .guardLimit(Duration.ofMillis(20))
                .open()) {
            ToolGuard impatient = store.guard();
            impatient.warmUp();
            impatient.failed(shell("s", "git push"), NO_UPSTREAM);
            store.flush();
            Advice advice = impatient.failed(shell("s", "git push"), ToolError.exit(0, "this may hang"));
            assertThat(advice.status()).isEqualTo(Advice.Status.UNAVAILABLE);
            hanging.countDown();
        }
    }

    @Test
    void userSaid_thatItHappenedAgain_recallsTheLastFailure() {
        learned();
        guard.failed(shell("tuesday", "git push"), NO_UPSTREAM);
        Advice advice = guard.userSaid("tuesday", "this error again!");
        assertThat(advice.status()).isEqualTo(Advice.Status.FOUND);
        assertThat(advice.text()).contains(LESSON);
        assertThat(memory.failures()).hasSize(2);
    }

    @Test
    void userSaid_somethingElseOrInAnotherSession_isNothing() {
        learned();
        guard.failed(shell("tuesday", "git push"), NO_UPSTREAM);
        assertThat(guard.userSaid("tuesday", "thanks, please go on").status())
                .isEqualTo(Advice.Status.NOTHING_RELEVANT);
        assertThat(guard.userSaid("friday", "this error again!").status()).isEqualTo(Advice.Status.NOTHING_RELEVANT);
    }

    @Test
    void rules_ofAMessage_areAPageWithTheMatchingOnesFirst() {
        assertThat(guard.rules("please push it")).isEmpty();
        memory.store.remember(Directive.parse("Never push to the main branch").tags("git"));
        memory.store.remember(Directive.parse("Never delete the database backups"));
        assertThat(guard.rules("a git question")).startsWith("\n").containsSubsequence("main branch", "backups");
        assertThat(guard.rules("hello")).containsSubsequence("backups", "main branch");
    }

    @Test
    void rules_closedStore_isEmpty() {
        memory.store.remember(Directive.parse("Never push to the main branch"));
        memory.store.close();
        assertThat(guard.rules("please push the branch")).isEmpty();
    }

    @Test
    void guard_ownAdviceComesBackAsOutput_isNotRecorded() {
        learned();
        String advice = guard.failed(shell("tuesday", "git push"), NO_UPSTREAM).text();
        assertThat(memory.failures()).hasSize(2);
        Advice echoed = guard.failed(shell("wednesday", "cat run.log"), ToolError.text(advice));
        assertThat(echoed.status()).isEqualTo(Advice.Status.TRIVIAL);
        guard.failed(shell("wednesday", "git push"), ToolError.exit(128, NO_UPSTREAM.text() + advice));
        assertThat(memory.failures())
                .hasSize(3)
                .noneMatch(failure -> failure.json().contains("seen 1"))
                .filteredOn(failure -> failure.patternAvoid() == null)
                .noneMatch(failure -> failure.json().contains(LESSON));
    }

    @Test
    void stats_countRecallsOfTheGuard() {
        learned();
        guard.failed(shell("tuesday", "git push"), NO_UPSTREAM);
        guard.failed(
                shell("tuesday", "tar -xf a.tar"),
                ToolError.exit(2, "tar: a.tar: Cannot open: No such file or directory"));
        assertThat(memory.store.stats().recalled()).isEqualTo(2);
        assertThat(memory.store.stats().advised()).isEqualTo(1);
    }
}
