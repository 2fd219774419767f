package dev.xmem.core.agent.guard;

import static dev.xmem.core.agent.guard.Guarded.NO_UPSTREAM;
import static dev.xmem.core.agent.guard.Guarded.shell;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.TestStores;
import dev.xmem.core.XMem;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.NativeFileSystem;
import dev.xmem.core.fixtures.FaultyFileSystem;
import dev.xmem.core.text.hash.RuleBasedHasher;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guards that report at once, whose files of sessions cannot be written, or whose classes do not load. */
class SessionFaultsTest {
    private static final int GUARDS = 4;

    @TempDir
    Path directory;

    private XMem.Builder builder(FileSystem disk) {
        return TestStores.builder(directory, disk)
                .guardLimit(Duration.ofSeconds(60))
                .sharedSessions();
    }

    private XMem.Builder builder() {
        return builder(new NativeFileSystem());
    }

    private long failures() {
        try (XMemStore store = builder().open()) {
            return store.stats().failures();
        }
    }

    /** Each guard is in a store of its own; all have answered before the first one writes. */
    @Test
    void newFailure_reportedByAllGuardsAtOnce_isRecordedOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(GUARDS);
        CyclicBarrier together = new CyclicBarrier(GUARDS);
        int rounds = 8;
        try {
            for (int round = 0; round < rounds; round++) {
                String line = "git push origin " + round;
                String session = "s" + round;
                List<Future<String>> ids = new ArrayList<>();
                for (int i = 0; i < GUARDS; i++) {
                    ids.add(threads.submit(() -> {
                        try (XMemStore store = builder().open()) {
                            ToolGuard guard = store.guard();
                            guard.warmUp();
                            together.await(60, TimeUnit.SECONDS);
                            Advice advice = guard.failed(shell(session, line), NO_UPSTREAM);
                            flush(store);
                            return String.valueOf(advice.recordedId());
                        }
                    }));
                }
                Set<String> known = new HashSet<>();
                for (Future<String> id : ids) {
                    known.add(id.get());
                }
                known.remove("null"); // a guard that saw the record of another one before it answered
                assertThat(known).hasSize(1);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(failures()).isEqualTo(rounds);
    }

    /** Writes the queue; the others hold the locks from time to time. */
    private static void flush(XMemStore store) {
        for (int tries = 0; ; tries++) {
            try {
                store.flush();
                return;
            } catch (XMemException.Busy e) {
                assertThat(tries).isLessThan(100);
            }
        }
    }

    @Test
    void lockOfTheSessionsHeldElsewhere_failureIsRecordedAllTheSame() throws Exception {
        NativeFileSystem disk = new NativeFileSystem();
        try (XMemStore store = builder().open();
                FileSystem.FileLock held = disk.lock(directory.resolve(".xmem/sessions-lock"))) {
            ExecutorService holder = Executors.newSingleThreadExecutor();
            assertThat(holder.submit(() -> held.acquire(0)).get()).isTrue();
            store.guard().failed(shell("s", "git push"), NO_UPSTREAM);
            store.flush();
            assertThat(store.stats().failures()).isEqualTo(1);
            holder.submit(() -> {
                        held.release();
                        return true;
                    })
                    .get();
            holder.shutdown();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sessions", "transient-failures.ndjson"})
    void filesOfSessionsCannotBeWritten_guardAnswersCountsAndRecords(String name) {
        FaultyFileSystem disk = new FaultyFileSystem(new NativeFileSystem());
        disk.full = file -> file.toString().contains(".xmem/" + name);
        try (XMemStore store = builder(disk).open()) {
            ToolGuard guard = store.guard();
            for (int i = 1; i <= 3; i++) {
                Advice advice = guard.failed(shell("s", "git push"), NO_UPSTREAM);
                store.flush();
                assertThat(advice.status()).isNotEqualTo(Advice.Status.UNAVAILABLE);
                assertThat(advice.repeats()).isEqualTo(i);
            }
            ToolError reset = ToolError.exit(128, "fatal: unable to access: Connection reset by peer");
            guard.failed(shell("s", "git fetch"), reset);
            guard.failed(shell("other", "git fetch"), reset);
            guard.succeeded(shell("s", "git push -u origin topic"));
            store.flush();
            assertThat(store.stats().failures()).isEqualTo(2);
            assertThat(store.stats().successes()).isEqualTo(1);
            assertThat(store.stats().guardDropped()).isZero();

            disk.full = file -> false;
            guard.failed(shell("late", "git push"), NO_UPSTREAM);
        }
        try (XMemStore store = builder().open()) {
            assertThat(store.guard()
                            .failed(shell("late", "git push"), NO_UPSTREAM)
                            .repeats())
                    .as("there is room again, behind the torn lines")
                    .isEqualTo(2);
        }
    }

    /** The built-in hasher, one class of which does not load. */
    private static final class BrokenHasher implements ContextHasher {
        private final ContextHasher rules = new RuleBasedHasher();
        private volatile boolean broken = true;

        @Override
        public String id() {
            return "broken";
        }

        @Override
        public ContextHash hash(HashInput input) {
            if (broken) {
                throw new NoClassDefFoundError("org/example/Missing");
            }
            return rules.hash(input);
        }
    }

    @Test
    void classDoesNotLoad_inWarmUpOrACall_isUnavailableUntilItLoads() {
        BrokenHasher hasher = new BrokenHasher();
        try (XMemStore store = builder().hasher(hasher).open()) {
            ToolGuard guard = store.guard();
            guard.warmUp();
            assertThat(guard.failed(shell("s", "git push"), NO_UPSTREAM).status())
                    .isEqualTo(Advice.Status.UNAVAILABLE);
            assertThat(guard.before(shell("s", "git push")).isEmpty()).isTrue();
            guard.succeeded(shell("s", "git pull"));
            guard.userSaid("s", "this error again");

            hasher.broken = false;
            store.recordFailure(Failure.of(shell("x", "git push"), NO_UPSTREAM).patternAvoid("Set the upstream."));
            assertThat(guard.failed(shell("t", "git push"), NO_UPSTREAM).text()).contains("Set the upstream.");
            assertThat(store.stats().guardUnavailable()).isPositive();
        }
    }
}
