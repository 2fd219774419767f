package dev.xmem.core.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight agents use one guard, and are interrupted at random. */
class GuardConcurrencyTest {
    private static final int THREADS = 8;

    @TempDir
    Path directory;

    private final Queue<Thread> workers = new ConcurrentLinkedQueue<>();
    private volatile boolean working = true;

    @Test
    void verdicts_fromEightThreadsInterrupted_areAllAnsweredAndCounted() throws Exception {
        verdicts(1_000);
    }

    @Test
    @Tag("soak")
    void verdicts_fromEightThreadsInterruptedForLong_areAllAnsweredAndCounted() throws Exception {
        verdicts(200_000);
    }

    private void verdicts(int calls) throws Exception {
        try (XMemStore store =
                XMem.builder(directory).guardLimit(Duration.ofSeconds(60)).open()) {
            ToolGuard guard = store.guard();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            Thread interrupter = new Thread(this::interrupt, "interrupter");
            int asked = 0;
            try {
                List<Future<Integer>> done = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    Random random = new Random(i);
                    done.add(threads.submit(() -> report(guard, random, calls / THREADS)));
                }
                interrupter.start();
                for (Future<Integer> one : done) {
                    asked += one.get();
                }
            } finally {
                working = false;
                interrupter.join();
                threads.shutdownNow();
            }
            store.flush();
            assertThat(store.stats().malformedLines()).isZero();
            assertThat(store.stats().failures() + store.stats().guardDropped()).isPositive();
            assertThat(store.stats().recalled()).isLessThanOrEqualTo(asked);
        }
        try (XMemStore again = XMem.open(directory)) {
            assertThat(again.stats().malformedLines()).isZero();
            assertThat(again.search(Query.all().kind(Entry.Kind.FAILURE).limit(5))
                            .matches())
                    .isNotEmpty();
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

    /** The number of reported failures. */
    private int report(ToolGuard guard, Random random, int calls) {
        workers.add(Thread.currentThread());
        int failures = 0;
        for (int i = 0; i < calls; i++) {
            String session = "session-" + random.nextInt(20);
            ToolCall call = ToolCall.shell(
                            "git push " + (random.nextBoolean() ? "-u origin b" : "") + random.nextInt(50))
                    .session(session);
            call = random.nextInt(3) == 0 ? call.callId("call-" + random.nextInt(200)) : call;
            boolean before = random.nextInt(3) == 0;
            if (before) {
                Thread.currentThread().interrupt();
            }
            switch (random.nextInt(4)) {
                case 0 -> answered(guard.before(call));
                case 1 -> {
                    failures++;
                    Advice advice = answered(guard.failed(call, error(random)));
                    assertThat(advice.status()).isNotEqualTo(Advice.Status.UNAVAILABLE);
                }
                case 2 -> guard.succeeded(call);
                default -> answered(guard.userSaid(session, random.nextBoolean() ? "this error again" : "go on"));
            }
            assertThat(Thread.interrupted() || !before).as("the flag is kept").isTrue();
        }
        workers.remove(Thread.currentThread());
        return failures + calls;
    }

    private static ToolError error(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> ToolError.exit(128, "fatal: The current branch has no upstream branch.");
            case 1 -> ToolError.exit(1, " ! [rejected] main -> main (non-fast-forward)");
            case 2 -> ToolError.exit(128, "fatal: repository 'x" + random.nextInt(30) + "' not found");
            default -> ToolError.exit(130, "");
        };
    }

    private static Advice answered(Advice advice) {
        assertThat(advice.text().isEmpty() || advice.text().startsWith("\n")).isTrue();
        return advice;
    }

    @Test
    void failed_oneCallIdFromEightThreads_isOneLineAndOneAnswer() throws Exception {
        try (Guarded memory = new Guarded()) {
            ToolCall call = Guarded.shell("s", "git push").callId("once");
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<Advice>> answers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                answers.add(threads.submit(() -> memory.guard.failed(call, Guarded.NO_UPSTREAM)));
            }
            Advice first = answers.get(0).get();
            for (Future<Advice> answer : answers) {
                assertThat(answer.get()).isSameAs(first);
            }
            threads.shutdown();
            assertThat(memory.failures()).hasSize(1);
            assertThat(memory.store.stats().recalled()).isEqualTo(1);
        }
    }
}
