package dev.xmem.benchmarks;

import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the heap that a compaction needs, on a store in which three of ten lines are duplicates. The argument is
 * the number of entries (default 100000). The JVM options set the bound: {@code -Xmx256m -XX:+UseSerialGC}.
 */
public final class CompactionHeap {
    private CompactionHeap() {}

    /** Runs the measurement and prints one line per step. */
    public static void main(String... args) throws IOException {
        int entries = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path directory = Files.createTempDirectory("xmem-heap");
        DuplicateLogGenerator.write(directory, entries, Instant.now().minusSeconds(60));
        try (XMemStore store = XMem.open(directory)) {
            out.println("opened: " + peak());
            CompactionReport report = store.compact(store.planCompaction(Retention.defaults()));
            out.println("compacted, " + report.removed() + " lines removed: " + peak());
        } finally {
            delete(directory);
        }
    }

    /** Returns the peak heap usage since the last call, garbage included. */
    private static String peak() {
        long bytes = 0;
        List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans();
        for (MemoryPoolMXBean pool : pools) {
            if (pool.getType() == MemoryType.HEAP) {
                bytes += pool.getPeakUsage().getUsed();
                pool.resetPeakUsage();
            }
        }
        return "peak " + (bytes >> 20) + " MiB of " + (Runtime.getRuntime().maxMemory() >> 20);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
