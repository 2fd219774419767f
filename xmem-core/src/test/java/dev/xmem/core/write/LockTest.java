package dev.xmem.core.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import dev.xmem.core.fixtures.Json;
import dev.xmem.testing.LockHolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lock of a store in the hands of others. */
class LockTest {
    @TempDir
    Path folder;

    private Path directory() {
        return folder.resolve("store");
    }

    private static Failure record(XMemStore store, String error) {
        while (true) {
            try {
                return store.recordFailure(Failure.of("git", "push", error));
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }

    private LockHolder hold() throws IOException {
        return new LockHolder(directory().resolve(".xmem/lock"));
    }

    private void isBusyButReadable(XMemStore store, Failure known) throws Exception {
        byte[] before = Files.readAllBytes(directory().resolve("data/failures.jsonl"));
        assertThatThrownBy(() -> store.recordFailure(Failure.of("git", "push", "refused")))
                .isInstanceOfSatisfying(XMemException.Busy.class, e -> {
                    assertThat(e.lock()).isEqualTo(directory().resolve(".xmem/lock"));
                    assertThat(e.waited()).isEqualTo(Duration.ofMillis(250));
                });
        assertThat(directory().resolve("data/failures.jsonl")).hasBinaryContent(before);
        assertThat(store.find(known.id())).contains(known);
        assertThat(store.search(Query.words("rejected")).total()).isEqualTo(1);
        assertThat(store.recall(ToolCall.shell("git push"), ToolError.text("rejected"))
                        .matches())
                .isNotEmpty();
        assertThat(store.stats().failures()).isEqualTo(1);
    }

    @Test
    @Timeout(120)
    void record_anotherProcessHoldsTheLock_isBusyAndGoesOnAfterwards() throws Exception {
        try (XMemStore store = XMem.open(directory())) {
            Failure known = record(store, "rejected");
            try (LockHolder holder = hold()) {
                isBusyButReadable(store, known);
                holder.release();
                assertThat(record(store, "after").id()).isNotEqualTo(known.id());
            }
        }
    }

    @Test
    @Timeout(120)
    void record_withALongLockTimeout_waitsUntilTheOtherProcessLetsGo() throws Exception {
        XMem.open(directory()).close();
        try (XMemStore store = XMem.builder(directory())
                        .lockTimeout(Duration.ofMinutes(1))
                        .open();
                LockHolder holder = hold()) {
            CompletableFuture<Failure> waiting =
                    CompletableFuture.supplyAsync(() -> store.recordFailure(Failure.of("git", "push", "rejected")));
            Thread.sleep(600); // longer than the default, so that a store without the option is busy
            assertThat(waiting).isNotDone();
            holder.release();
            assertThat(store.find(waiting.get().id())).isPresent();
        }
    }

    @Test
    @Timeout(120)
    void record_withALockTimeoutOfZero_isBusyAndSaysWhatToDo() throws Exception {
        XMem.open(directory()).close();
        try (XMemStore store =
                        XMem.builder(directory()).lockTimeout(Duration.ZERO).open();
                LockHolder holder = hold()) {
            assertThatThrownBy(() -> store.recordFailure(Failure.of("git", "push", "refused")))
                    .isInstanceOfSatisfying(
                            XMemException.Busy.class,
                            e -> assertThat(e.waited()).isZero())
                    .hasMessageContaining("waited 0 ms")
                    .hasMessageContaining("lockTimeout");
            assertThat(holder.isHeld()).isTrue();
        }
    }

    @Test
    @Timeout(120)
    void guard_anotherProcessHoldsTheLock_theEntryIsWrittenWhenItLetsGo() throws Exception {
        XMem.open(directory()).close();
        try (XMemStore store = XMem.builder(directory())
                        .guardLimit(Duration.ofSeconds(60))
                        .open();
                LockHolder holder = hold()) {
            store.guard().failed(ToolCall.shell("git push").session("s"), ToolError.exit(1, "! [rejected] main"));
            assertThat(store.guard().flush(Duration.ofMillis(600))).isFalse();
            assertThat(store.stats().failures()).isZero();
            holder.release();
            assertThat(store.guard().flush(Duration.ofMinutes(1))).isTrue();
            assertThat(store.stats().failures()).isEqualTo(1);
            assertThat(store.stats().guardDropped()).isZero();
        }
    }

    @Test
    @Timeout(120)
    void record_aStoppedProcessHoldsTheLock_isBusyUntilItIsKilled() throws Exception {
        try (XMemStore store = XMem.open(directory())) {
            Failure known = record(store, "rejected");
            try (LockHolder holder = hold()) {
                assumeTrue(stopped(holder), "a process cannot be stopped here");
                isBusyButReadable(store, known);
            }
            assertThat(record(store, "after").id()).isNotEqualTo(known.id());
        }
    }

    @Test
    @Timeout(120)
    void close_anotherProcessHoldsTheLockOfTheIndex_endsAndLeavesTheIndexForLater() throws Exception {
        XMemStore store = XMem.open(directory());
        record(store, "rejected");
        try (LockHolder holder = new LockHolder(directory().resolve(".xmem/index-lock"))) {
            store.close();
            assertThat(holder.isHeld()).isTrue();
        }
        XMem.open(directory()).close();
        assertThat(Json.object(Files.readAllBytes(directory().resolve("data/index.json")))
                        .get("total_entries"))
                .hasToString("{failures=1, successes=0}");
    }

    private static boolean stopped(LockHolder holder) {
        try {
            return new ProcessBuilder("kill", "-STOP", String.valueOf(holder.pid()))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void open_twiceInOneJvm_eachSeesTheOthersEntries() {
        try (XMemStore one = XMem.open(directory());
                XMemStore two = XMem.open(directory())) {
            Failure first = record(one, "first");
            assertThat(two.find(first.id())).contains(first);
            Failure second = record(two, "second");
            assertThat(one.find(second.id())).contains(second);
            assertThat(one.search(Query.all()).total()).isEqualTo(2);
            assertThat(second.id()).isNotEqualTo(first.id());
        }
    }

    @Test
    void open_twiceInOneJvmAndOneIsClosed_theOtherKeepsItsLock() throws Exception {
        try (XMemStore one = XMem.open(directory())) {
            XMem.open(directory()).close();
            record(one, "rejected");
            try (LockHolder holder = hold()) {
                assertThatThrownBy(() -> one.recordFailure(Failure.of("git", "push", "refused")))
                        .isInstanceOf(XMemException.Busy.class);
                assertThat(holder.isHeld()).isTrue();
            }
        }
    }

    @Test
    void open_twiceInOneJvmAndManyThreads_givesEveryIdOnce() throws Exception {
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        int each = 250;
        try (XMemStore one = XMem.open(directory());
                XMemStore two = XMem.open(directory())) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                XMemStore store = t % 2 == 0 ? one : two;
                String name = "thread " + t;
                threads.add(new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        ids.add(record(store, name + ", error " + i).id());
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(one.stats().failures()).isEqualTo(8 * each);
            assertThat(two.stats().failures()).isEqualTo(8 * each);
        }
        assertThat(Json.lines(directory().resolve("data/failures.jsonl")))
                .extracting(line -> (String) line.get("id"))
                .hasSize(8 * each)
                .doesNotHaveDuplicates()
                .hasSameElementsAs(ids);
    }
}
