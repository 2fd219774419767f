package dev.xmem.core.base.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of threads that are interrupted at random moments. */
class InterruptsTest {
    private static final int THREADS = 8;

    @TempDir
    Path directory;

    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<Thread> workers = new ConcurrentLinkedQueue<>();
    private volatile boolean working = true;

    @Test
    void calls_interruptedAtRandom_loseNothing() throws Exception {
        callAndCheck(8_000);
    }

    @Test
    @Tag("soak")
    void calls_interruptedAtRandomForLong_loseNothing() throws Exception {
        callAndCheck(200_000);
    }

    private void callAndCheck(int calls) throws Exception {
        try (XMemStore store = XMem.open(directory)) {
            work(store, calls / THREADS);
            checkAllThere(store);
            Failure after = store.recordFailure(Failure.of("git", "push", "after the interrupts"));
            assertThat(store.find(after.id())).contains(after);
        }
        try (XMemStore again = XMem.open(directory)) {
            checkAllThere(again);
            assertThat(again.stats().malformedLines()).isZero();
        }
    }

    private void checkAllThere(XMemStore store) {
        assertThat(acknowledged).isNotEmpty().doesNotHaveDuplicates();
        for (String id : acknowledged) {
            assertThat(store.find(id)).as(id).isPresent();
        }
    }

    private void work(XMemStore store, int calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        Thread interrupter = new Thread(this::interrupt, "interrupter");
        try {
            List<Future<Void>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                done.add(threads.submit(() -> work(store, calls, random)));
            }
            interrupter.start();
            for (Future<Void> one : done) {
                one.get();
            }
        } finally {
            working = false;
            interrupter.join();
            threads.shutdownNow();
        }
    }

    private void interrupt() {
        Random random = new Random(99);
        while (working) {
            for (Thread worker : workers) {
                if (random.nextInt(4) == 0) {
                    worker.interrupt();
                }
            }
            LockSupport.parkNanos(random.nextInt(300_000));
        }
    }

    private Void work(XMemStore store, int calls, Random random) throws Exception {
        workers.add(Thread.currentThread());
        try {
            for (int i = 0; i < calls; i++) {
                int number = i;
                boolean before = random.nextInt(3) == 0;
                if (before) {
                    Thread.currentThread().interrupt();
                }
                call(() -> any(store, random, number));
                assertThat(Thread.interrupted() || !before)
                        .as("the flag is kept")
                        .isTrue();
            }
        } finally {
            workers.remove(Thread.currentThread());
        }
        return null;
    }

    private static void call(Callable<?> call) throws Exception {
        while (true) {
            try {
                call.call();
                return;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }

    private Object any(XMemStore store, Random random, int number) {
        String error =
                "error: cannot open '.git/FETCH_HEAD' " + Thread.currentThread().getName() + number;
        int choice = random.nextInt(20);
        if (choice < 8) {
            return acknowledged.add(
                    store.recordFailure(Failure.of("git", "fetch", error)).id());
        } else if (choice < 11) {
            return acknowledged.add(
                    store.recordSuccess(Success.of("git", "Pattern " + error)).id());
        } else if (choice < 15) {
            String some = acknowledged.peek();
            return store.find(some == null ? "2026-01-01-001" : some);
        } else if (choice < 17) {
            return store.search(Query.all().tool("git").limit(3));
        } else if (choice < 19) {
            return store.recall(ToolCall.shell("git fetch"), ToolError.exit(1, error));
        }
        return store.stats();
    }
}
