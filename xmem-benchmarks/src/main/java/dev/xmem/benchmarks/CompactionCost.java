package dev.xmem.benchmarks;

import dev.xmem.CompactionPlan;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/**
 * Measures the processor time, the elapsed time and the heap of a compaction, beside a copy of the log in the same
 * round. The processor time is that of the whole process: all threads, JIT compilation and garbage collection. Each
 * round has a new store below {@code java.io.tmpdir}, whose segments are written before, as they are in a store that is
 * in use. Afterwards the background makes the text indexes of the new log and {@code index.json}, and looks after the
 * segments; that is measured until the process is idle. The first rounds warm up.
 *
 * <pre>
 * java -Xmx256m -cp benchmarks.jar dev.xmem.benchmarks.CompactionCost 1000000 3 0 5
 * </pre>
 *
 * The arguments are the number of entries, how many of ten lines are duplicates, how many malformed lines are at the
 * end of the log, and the number of rounds. Without duplicates and malformed lines there is nothing to rewrite.
 */
public final class CompactionCost {
    private static final int COPIES = 8;
    /** The process is idle if it hardly used a core each time that it was looked at. */
    private static final int IDLE_LOOKS = 5;

    private static final long IDLE_MILLIS = 200;

    private CompactionCost() {}

    /** Runs the measurement and prints one line per round. */
    public static void main(String... args) throws Exception {
        int entries = Integer.parseInt(args[0]);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.println(
                "| round | copy | plan | compaction | relative to a copy | log MB per s | elapsed: copy, both, relative"
                        + " | peak heap | removed | background afterwards |");
        out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (int round = 1; round <= Integer.parseInt(args[3]); round++) {
            Path directory = Files.createTempDirectory("xmem-compaction");
            try {
                DuplicateLogGenerator.write(
                        directory,
                        entries,
                        Integer.parseInt(args[1]),
                        Instant.now().minusSeconds(60));
                Path log = directory.resolve("data/failures.jsonl");
                Files.writeString(log, "{\"torn\n".repeat(Integer.parseInt(args[2])), StandardOpenOption.APPEND);
                try (XMemStore sealed = XMem.open(directory)) {
                    sealed.verify(); // writes all segments, with their text indexes
                }
                out.println("| " + round + " | " + measure(directory, log));
            } finally {
                LogFiles.delete(directory);
            }
        }
    }

    private static String measure(Path directory, Path log) throws Exception {
        long bytes = Files.size(log);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Path copy = directory.resolve("copy");
        long copyBegin = System.nanoTime();
        long cpuBegin = threads.getCurrentThreadCpuTime();
        for (int i = 0; i < COPIES; i++) {
            Files.copy(log, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        double copyCpu = (threads.getCurrentThreadCpuTime() - cpuBegin) / 1e6 / COPIES;
        double copyElapsed = (System.nanoTime() - copyBegin) / 1e6 / COPIES;
        Files.delete(copy);
        try (XMemStore store = XMem.open(directory)) {
            peak();
            Timed<CompactionPlan> plan = timed(() -> store.planCompaction(Retention.defaults()));
            Timed<Long> removed = timed(() -> store.compact(plan.result).removed());
            double cpu = plan.cpu + removed.cpu;
            double elapsed = plan.elapsed + removed.elapsed;
            long peak = peak();
            Duration before = processTime();
            awaitIdle();
            return "%.1f ms | %.0f ms | %.0f ms | %.1f× | %.0f | %.1f ms, %.0f ms, %.1f× | %d of %d MiB | %d | %d ms |"
                    .formatted(
                            copyCpu,
                            plan.cpu,
                            removed.cpu,
                            cpu / copyCpu,
                            bytes / 1e3 / cpu,
                            copyElapsed,
                            elapsed,
                            elapsed / copyElapsed,
                            peak,
                            Runtime.getRuntime().maxMemory() >> 20,
                            removed.result,
                            processTime().minus(before).toMillis());
        }
    }

    /** A result, and what it took in milliseconds. */
    private record Timed<T>(T result, double cpu, double elapsed) {}

    private static <T> Timed<T> timed(Callable<T> work) throws Exception {
        long begin = System.nanoTime();
        Duration cpu = processTime();
        T result = work.call();
        return new Timed<>(result, processTime().minus(cpu).toNanos() / 1e6, (System.nanoTime() - begin) / 1e6);
    }

    private static Duration processTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }

    private static void awaitIdle() throws InterruptedException {
        for (int idle = 0; idle < IDLE_LOOKS; ) {
            Duration before = processTime();
            Thread.sleep(IDLE_MILLIS);
            idle = processTime().minus(before).toMillis() > IDLE_MILLIS / 10 ? 0 : idle + 1;
        }
    }

    /** Returns the peak heap usage since the last call in MiB, garbage included. */
    private static long peak() {
        long bytes = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                bytes += pool.getPeakUsage().getUsed();
                pool.resetPeakUsage();
            }
        }
        return bytes >> 20;
    }
}
