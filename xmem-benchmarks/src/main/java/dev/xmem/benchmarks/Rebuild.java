package dev.xmem.benchmarks;

import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the CPU time to rebuild all index files of a store, in a JVM of its own. The opening thread reads the
 * fields of all lines. A background thread writes them, and writes the terms and trigrams of each full segment.
 * Deletes the index files of the store first, and nothing else.
 *
 * <pre>
 * java -Xmx1g -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.Rebuild FOLDER
 * </pre>
 */
public final class Rebuild {
    private static final int SEGMENT_LINES = 1 << 15;

    private Rebuild() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Path index = folder.resolve(".xmem/index");
        long bytes = 0;
        long segments = 0;
        for (Path log : files(folder.resolve("data"), ".jsonl")) {
            bytes += Files.size(log);
            try (Stream<String> lines = Files.lines(log)) {
                segments += lines.count() / SEGMENT_LINES;
            }
        }
        for (Path file : files(index, "")) {
            Files.delete(file);
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        try (XMemStore store = XMem.open(folder)) {
            store.search(Query.all().limit(1));
            print("opening thread", bytes, threads.getCurrentThreadCpuTime() - before);
            while (files(index, ".text").size() < segments) {
                Thread.sleep(50);
            }
            for (long id : threads.getAllThreadIds()) {
                long nanos = threads.getThreadCpuTime(id);
                if (id != Thread.currentThread().getId() && nanos > 1_000_000_000) {
                    print("background thread", bytes, nanos);
                }
            }
        }
    }

    private static void print(String thread, long bytes, long nanos) {
        System.out.printf("%s: %.1f s, %.1f MB/s%n", thread, nanos / 1e9, bytes * 1e3 / nanos);
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }
}
