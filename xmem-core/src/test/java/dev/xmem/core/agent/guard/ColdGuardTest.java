package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Jvm;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import dev.xmem.spi.TokenEstimator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first calls of a guard, and the failures whose recall comes too late. */
class ColdGuardTest {
    private static final String LESSON = "Set the upstream: git push -u origin HEAD";

    @TempDir
    Path directory;

    /** The built-in hasher, which waits for a latch where the error says so. */
    private static final class HangingHasher implements ContextHasher {
        private final ContextHasher rules = new RuleBasedHasher();
        private final CountDownLatch latch = new CountDownLatch(1);

        @Override
        public String id() {
            return "hanging";
        }

        @Override
        public ContextHash hash(HashInput input) {
            if (input.error().contains("slow disk")) {
                LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            } else if (input.error().contains("no disk")) {
                boolean interrupted = false;
                while (latch.getCount() > 0) {
                    try {
                        latch.await();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            return rules.hash(input);
        }
    }

    private static void learn(XMemStore store) {
        for (String session : List.of("a", "b")) {
            store.recordFailure(
                    Failure.of(shell(session, "git push"), NO_UPSTREAM).patternAvoid(LESSON));
        }
    }

    @Test
    void failed_firstRecallSlowerThanTheLimit_isAnswered() {
        HangingHasher hasher = new HangingHasher();
        try (XMemStore store = XMem.inMemoryBuilder()
                .hasher(hasher)
                .guardLimit(Duration.ofNanos(1))
                .open()) {
            learn(store);
            ToolError slow = ToolError.exit(128, "fatal: The current branch slow disk has no upstream branch.");
            assertThat(store.guard().failed(shell("s", "git push"), slow).text())
                    .contains(LESSON);
            assertThat(store.guard()
                            .failed(shell("s", "git push"), ToolError.exit(1, "fatal: no disk"))
                            .status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
            hasher.latch.countDown();
            assertThat(store.stats().guardUnavailable()).isEqualTo(1);
        }
    }

    private static String waiting(CountDownLatch latch, String text, String hangsAt) {
        while (text.contains(hangsAt)
                && latch.getCount() > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
        return text;
    }

    @Test
    @Timeout(60)
    void failed_redactorHangs_isUnavailableAndRecorded() {
        CountDownLatch latch = new CountDownLatch(1);
        try (XMemStore store = XMem.inMemoryBuilder()
                .redactor(text -> waiting(latch, text, "no disk"))
                .guardLimit(Duration.ofMillis(1))
                .open()) {
            learn(store);
            store.guard().warmUp();
            assertThat(store.guard()
                            .failed(shell("s", "git push 'no disk'"), NO_UPSTREAM)
                            .status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
            latch.countDown();
            store.flush();
            assertThat(store.stats().failures()).isEqualTo(3);
        } finally {
            latch.countDown();
        }
    }

    @Test
    @Timeout(60)
    void failed_estimatorHangs_isUnavailableAndRecorded() {
        CountDownLatch latch = new CountDownLatch(1);
        TokenEstimator hanging = new TokenEstimator() {
            @Override
            public String id() {
                return "hanging";
            }

            @Override
            public int estimate(CharSequence text) {
                return waiting(latch, text.toString(), "time in this session").length();
            }
        };
        try (XMemStore store = Guarded.builder()
                .tokens(hanging)
                .guardLimit(Duration.ofSeconds(3))
                .open()) {
            ToolGuard guard = store.guard();
            guard.warmUp();
            assertThat(guard.failed(shell("s", "git push"), NO_UPSTREAM).repeats())
                    .isEqualTo(1);
            assertThat(guard.failed(shell("s", "git push"), NO_UPSTREAM).status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
            latch.countDown();
            assertThat(guard.failed(shell("s", "git push"), NO_UPSTREAM).repeats())
                    .isEqualTo(3);
        } finally {
            latch.countDown();
        }
    }

    @Test
    void warmUp_hasherThrowsAnError_doesNotThrow() {
        AtomicBoolean fails = new AtomicBoolean();
        ContextHasher rules = new RuleBasedHasher();
        ContextHasher failing = new ContextHasher() {
            @Override
            public String id() {
                return "failing";
            }

            @Override
            public ContextHash hash(HashInput input) {
                if (fails.get()) {
                    throw new AssertionError("thrown by a plug-in");
                }
                return rules.hash(input);
            }
        };
        try (XMemStore store = Guarded.builder().hasher(failing).open()) {
            learn(store);
            fails.set(true);
            store.guard().warmUp();
            assertThat(store.guard().failed(shell("s", "git push"), NO_UPSTREAM).status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
            store.flush();
            fails.set(false);
            assertThat(store.guard().failed(shell("s", "git push"), NO_UPSTREAM).status())
                    .isEqualTo(Advice.Status.FOUND);
        }
    }

    @Test
    void failed_afterWarmUp_keepsTheLimit() {
        try (XMemStore store = XMem.inMemoryBuilder()
                .hasher(new HangingHasher())
                .guardLimit(Duration.ofNanos(1))
                .open()) {
            learn(store);
            store.guard().warmUp();
            store.guard().warmUp();
            assertThat(store.guard()
                            .failed(shell("s", "git push"), ToolError.exit(128, "fatal: slow disk"))
                            .status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
        }
    }

    /** A limit that no other thread can keep: the calling thread finds the warning in memory. */
    @Test
    void before_warmAndNoPlugin_isAnsweredByTheCallingThread() {
        try (XMemStore store =
                XMem.inMemoryBuilder().guardLimit(Duration.ofNanos(1)).open()) {
            learn(store);
            ToolGuard guard = store.guard();
            assertThat(guard.before(shell("s", "git push")).status()).isEqualTo(Advice.Status.FOUND);
            for (int i = 0; i < 20; i++) {
                assertThat(guard.before(shell("s" + i, "git push")).status()).isEqualTo(Advice.Status.FOUND);
            }
            assertThat(store.stats().guardUnavailable()).isZero();
        }
    }

    /** The plug-in is called on another thread also when the guard is warm: the latch opens after the answer. */
    @ParameterizedTest
    @ValueSource(strings = {"hasher", "redactor"})
    void before_warmAndPluginHangs_isUnavailableAtTheLimit(String plugin) {
        CountDownLatch latch = new CountDownLatch(1);
        AtomicBoolean hangs = new AtomicBoolean();
        Thread caller = Thread.currentThread();
        ContextHasher rules = XMem.hasher();
        XMem.Builder builder = XMem.inMemoryBuilder().guardLimit(Duration.ofSeconds(3));
        if (plugin.equals("redactor")) {
            builder.redactor(text -> hangs.get() ? awaited(latch, caller, text) : text);
        } else {
            builder.hasher(new ContextHasher() {
                @Override
                public String id() {
                    return "hanging";
                }

                @Override
                public ContextHash hash(HashInput input) {
                    return hangs.get() ? awaited(latch, caller, rules.hash(input)) : rules.hash(input);
                }
            });
        }
        try (XMemStore store = builder.open()) {
            learn(store);
            ToolGuard guard = store.guard();
            guard.warmUp();
            assertThat(guard.before(shell("s", "git push")).status()).isEqualTo(Advice.Status.FOUND);
            hangs.set(true);
            long before = store.stats().guardUnavailable();
            assertThat(guard.before(shell("s", "git push")).status()).isEqualTo(Advice.Status.UNAVAILABLE);
            assertThat(store.stats().guardUnavailable()).isEqualTo(before + 1);
            assertThat(latch.getCount()).isOne();
            latch.countDown();
        }
    }

    /** The value when the latch is open; ends the wait of the caller, whom no plug-in may block. */
    private static <T> T awaited(CountDownLatch latch, Thread caller, T value) {
        if (Thread.currentThread() == caller) {
            latch.countDown();
        }
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return value;
    }

    @Test
    void failed_recallTooLate_belongsToItsSession() {
        HangingHasher hasher = new HangingHasher();
        try (XMemStore store = XMem.inMemoryBuilder()
                .hasher(hasher)
                .guardLimit(Duration.ofSeconds(3))
                .open()) {
            learn(store);
            ToolGuard guard = store.guard();
            guard.warmUp();
            ToolError error = ToolError.exit(1, "error: failed to push some refs: no disk");
            Advice late = guard.failed(shell("s", "git push origin"), error);
            guard.succeeded(shell("s", "git push --tags origin"));
            hasher.latch.countDown();
            store.flush();
            assertThat(late.status()).isEqualTo(Advice.Status.UNAVAILABLE);
            assertThat(late.recordedId()).isNotNull();
            assertThat(store.stats().guardUnavailable()).isEqualTo(1);
            assertThat(store.stats().guardDropped()).isZero();
            assertThat(store.stats().failures()).isEqualTo(3);
            assertThat(store.search(Query.all().kind(Entry.Kind.SUCCESS)).matches())
                    .singleElement()
                    .satisfies(match -> assertThat(((Success) match.entry()).answers())
                            .containsExactly(String.valueOf(late.recordedId())));
            Advice again = guard.userSaid("s", "this error again");
            assertThat(again.matches()).isNotEmpty();
        }
    }

    @Test
    void failed_severalTooLate_keepTheirOrderAndAreRecordedOnce() {
        HangingHasher hasher = new HangingHasher();
        try (XMemStore store = XMem.inMemoryBuilder()
                .hasher(hasher)
                .guardLimit(Duration.ofMillis(20))
                .open()) {
            ToolGuard guard = store.guard();
            guard.warmUp();
            ToolError error = ToolError.exit(1, "error: failed to push some refs: no disk");
            guard.failed(shell("s", "git push origin"), error);
            guard.failed(shell("s", "git push origin"), error);
            guard.failed(shell("s", "git push origin main"), error);
            guard.succeeded(shell("s", "git push --tags origin main"));
            hasher.latch.countDown();
            store.flush();
            assertThat(store.stats().failures()).isEqualTo(1);
            assertThat(store.stats().successes()).isEqualTo(1);
        }
    }

    @Test
    void guard_closedStore_isUnavailable() {
        XMemStore store = XMem.inMemoryBuilder().open();
        store.close();
        ToolGuard guard = store.guard();
        guard.warmUp();
        assertThat(guard.before(shell("s", "git push")).status()).isEqualTo(Advice.Status.UNAVAILABLE);
        assertThat(guard.failed(shell("s", "git push"), NO_UPSTREAM).status()).isEqualTo(Advice.Status.UNAVAILABLE);
        guard.succeeded(shell("s", "git push"));
        assertThat(store.guard()).isSameAs(guard);
    }

    @Test
    void guard_closedWhileItWarmsUp_throwsNothing() {
        try (XMemStore store = XMem.open(directory)) {
            learn(store);
        }
        for (int i = 0; i < 20; i++) {
            XMemStore store = XMem.open(directory);
            ToolGuard guard = store.guard();
            Thread other = new Thread(guard::warmUp);
            other.start();
            store.close();
            assertThat(guard.failed(shell("s", "git push"), NO_UPSTREAM).status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
            joinUninterruptibly(other);
        }
    }

    private static void joinUninterruptibly(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void guard_folderVanished_throwsNothing() throws IOException {
        try (XMemStore store = XMem.open(directory.resolve("store"))) {
            learn(store);
            try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(file);
                }
            }
            ToolGuard guard = store.guard();
            guard.before(shell("s", "git push"));
            guard.failed(shell("s", "git push"), NO_UPSTREAM);
            guard.succeeded(shell("s", "git push"));
            guard.warmUp();
        }
    }

    @Test
    void warmUp_interrupted_keepsTheFlag() {
        try (XMemStore store = XMem.open(directory)) {
            learn(store);
            Thread.currentThread().interrupt();
            store.guard().warmUp();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(store.guard().before(shell("s", "git push")).text()).contains(LESSON);
        }
    }

    @Test
    void before_otherFailuresOfTheTool_warnsFromTheIndex() {
        try (XMemStore store = XMem.open(directory)) {
            learn(store);
            for (int i = 0; i < 200; i++) {
                store.recordFailure(Failure.of(
                        shell("c", "git fetch remote-" + i), ToolError.exit(128, "fatal: repository not found")));
            }
        }
        XMem.Builder patient = XMem.builder(directory).readOnly().guardLimit(Duration.ofSeconds(60));
        try (XMemStore store = patient.open()) {
            assertThat(store.guard().before(shell("s", "git push")).text()).contains(LESSON);
            assertThat(store.guard().before(shell("s", "git fetch x")).isEmpty())
                    .as("one session is no evidence")
                    .isTrue();
        }
    }

    @Test
    void failed_freshJvms_areTold() throws Exception {
        Path store = directory.resolve("store");
        try (XMemStore filled = XMem.open(store)) {
            learn(filled);
        }
        for (int i = 0; i < 2; i++) {
            try (Jvm jvm = Jvm.start(directory, List.of(), Child.class, store)) {
                jvm.succeeds();
            }
        }
    }

    /** A JVM that asks a guard at once. */
    static final class Child {
        public static void main(String[] args) {
            // A busy machine must not decide this test.
            try (XMemStore store = XMem.builder(Path.of(args[0]))
                    .guardLimit(Duration.ofSeconds(60))
                    .open()) {
                ToolCall call = shell("fresh-" + ProcessHandle.current().pid(), "git push");
                String warning = store.guard().before(call).text();
                String advice = store.guard().failed(call, NO_UPSTREAM).text();
                if (!warning.contains(LESSON) || !advice.contains(LESSON)) {
                    throw new AssertionError("before: " + warning + "\nfailed: " + advice);
                }
            }
        }
    }
}
