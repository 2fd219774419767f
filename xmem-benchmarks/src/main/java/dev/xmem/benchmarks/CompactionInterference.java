package dev.xmem.benchmarks;

import dev.xmem.CompactionReport;
import dev.xmem.Failure;
import dev.xmem.Retention;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Measures the effect of a compaction on appends: the p99 and the longest append while a compaction runs and while
 * none runs, on the same store. Arguments: entries (default 100000), runs (default 5). Each run uses a new store in
 * which three of ten lines are duplicates.
 */
public final class CompactionInterference {
    private static final int WARM_UP = 20_000;
    private static final int MEASURED_APPENDS = 50_000;
    private static final int MAX_APPENDS = 5_000_000;

    private CompactionInterference() {}

    /** Runs the measurement and prints a table. */
    public static void main(String... args) throws IOException {
        int entries = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int runs = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        double[] ratios = new double[runs];
        out.println("| run | p99 alone µs | p99 during µs | ratio | longest alone ms | longest during ms"
                + " | appends during | compaction ms | removed |");
        out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (int run = 0; run < runs; run++) {
            Path directory = Files.createTempDirectory("xmem-interference");
            DuplicateLogGenerator.write(directory, entries, 3, Instant.now().minusSeconds(60));
            try (XMemStore store = XMem.open(directory)) {
                ratios[run] = run(store, run + 1, out);
            } finally {
                delete(directory);
            }
        }
        Arrays.sort(ratios);
        out.printf("median ratio %.2f%n", ratios[runs / 2]);
    }

    private static double run(XMemStore store, int run, PrintStream out) {
        append(store, new long[WARM_UP], new CompletableFuture<>());
        long[] without = new long[MEASURED_APPENDS];
        double p99Without = p99(without, append(store, without, new CompletableFuture<>()));
        long begin = System.nanoTime();
        CompletableFuture<CompactionReport> compaction =
                CompletableFuture.supplyAsync(() -> store.compact(store.planCompaction(Retention.defaults())));
        long[] with = new long[MAX_APPENDS];
        int n = append(store, with, compaction);
        CompactionReport report = compaction.join();
        long millis = (System.nanoTime() - begin) / 1_000_000;
        double p99With = p99(with, n);
        out.printf(
                "| %d | %.1f | %.1f | %.2f | %.0f | %.0f | %d | %d | %d |%n",
                run,
                p99Without,
                p99With,
                p99With / p99Without,
                longest(without, MEASURED_APPENDS),
                longest(with, n),
                n,
                millis,
                report.removed());
        return p99With / p99Without;
    }

    /** Appends until the array is full or the future completes. Returns the number of appends. */
    private static int append(XMemStore store, long[] nanos, CompletableFuture<?> until) {
        int n = 0;
        while (n < nanos.length && !until.isDone()) {
            long begin = System.nanoTime();
            record(store, Failure.of("npm", "install left-pad " + n, "connect ETIMEDOUT"));
            nanos[n++] = System.nanoTime() - begin;
        }
        return n;
    }

    /** Retries while another thread holds the lock; the wait counts. */
    private static void record(XMemStore store, Failure.Draft draft) {
        while (true) {
            try {
                store.recordFailure(draft);
                return;
            } catch (XMemException.Busy e) {
                Thread.onSpinWait();
            }
        }
    }

    private static double p99(long[] nanos, int n) {
        long[] sorted = Arrays.copyOf(nanos, n);
        Arrays.sort(sorted);
        return n == 0 ? 0 : sorted[(int) (n * 0.99)] / 1000.0;
    }

    private static double longest(long[] nanos, int n) {
        return Arrays.stream(nanos, 0, n).max().orElse(0) / 1e6;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
