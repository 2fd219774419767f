package dev.xmem.core.faults;

import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Many virtual threads use a few stores, on two carriers, while the flight recorder notes each virtual thread that
 * waits but keeps its carrier. The arguments are a folder and the number of threads. Needs JDK 21 or newer, by
 * reflection.
 */
public final class VirtualThreads {
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final int STORES = 4;
    private static final int WARM_UP = 100;
    private static final Duration STALL = Duration.ofMillis(20);

    private VirtualThreads() {}

    /** Keeps its carrier, because a class is being initialized: to see that the recorder would note it. */
    private static final class Pin {
        static final long SINCE = pin();

        private static long pin() {
            long since = System.nanoTime();
            LockSupport.parkNanos(STALL.multipliedBy(3).toNanos());
            return since;
        }
    }

    public static void main(String... args) throws Exception {
        Path folder = Path.of(args[0]);
        int threads = Integer.parseInt(args[1]);
        List<XMemStore> stores = new ArrayList<>();
        for (int i = 0; i < STORES; i++) {
            stores.add(XMem.builder(folder.resolve("store" + i))
                    .guardLimit(Duration.ofSeconds(20))
                    .sharedSessions()
                    .open());
        }
        Path recorded = folder.resolve("recorded.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withThreshold(STALL).withStackTrace();
            recording.start();
            for (int i = 0; i < WARM_UP; i++) {
                use(stores.get(i % STORES), i); // by a thread of the platform, so that all classes are there
            }
            run(stores, threads);
            recording.stop();
            recording.dump(recorded);
        }
        stores.forEach(XMemStore::close);
        check(recorded, threads);
        System.exit(0);
    }

    private static void run(List<XMemStore> stores, int threads) throws Exception {
        ExecutorService executor = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            running.add(executor.submit(() -> use(stores.get(number % STORES), number)));
        }
        for (Future<?> each : running) {
            each.get();
        }
        executor.submit(() -> Pin.SINCE).get();
        executor.shutdown();
    }

    private static void check(Path recorded, int threads) throws IOException {
        List<String> own = new ArrayList<>();
        boolean noted = false;
        for (RecordedEvent event : RecordingFile.readAllEvents(recorded)) {
            String stack = String.valueOf(event.getStackTrace());
            if (!event.getEventType().getName().equals(PINNED)) {
                continue; // an event of a store
            }
            if (stack.contains(Pin.class.getName())) {
                noted = true;
            } else {
                own.add(event.getDuration().toMillis() + " ms: " + stack);
            }
        }
        long failures = 0;
        for (int i = 0; i < STORES; i++) {
            Path log = recorded.resolveSibling("store" + i).resolve("data/failures.jsonl");
            failures += Files.readAllLines(log).size();
        }
        System.out.printf(
                "reliability: %,d virtual threads on %s carriers, %,d failures recorded, %d of %d ms or more pinned%n",
                threads,
                System.getProperty("jdk.virtualThreadScheduler.parallelism"),
                failures,
                own.size(),
                STALL.toMillis());
        if (!noted || !own.isEmpty() || failures < threads + WARM_UP) {
            throw new AssertionError("noted " + noted + ", " + failures + " failures, pinned: " + own);
        }
    }

    private static void use(XMemStore store, int number) {
        String id = store.recordFailure(Failure.of("git", "push b" + number % 9, "fatal: quota of Zürich " + number))
                .id();
        store.find(id).orElseThrow();
        store.search(Query.words("quota " + number % 9));
        ToolCall call = ToolCall.shell("git push b3").session("s" + number % 20);
        store.guard().before(call);
        store.guard().failed(call, ToolError.exit(1, "fatal: quota of Zürich " + number));
        store.recall(call, ToolError.exit(1, "fatal: quota of Zürich " + number));
        if (number % 50 == 0) {
            store.flush();
            store.verify();
            store.stats().text();
        }
    }
}
