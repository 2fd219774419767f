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
 * Measures the processor time to rebuild all index files of a store, in a JVM of its own, as bytes of the logs per
 * second of a core. The opening thread has the fields of all lines read, on all cores; the background writes them, and
 * the terms and trigrams of each segment, unless a search needs them first. JIT compilation, garbage collection and a
 * merge of segments that happens meanwhile count. Deletes the index files of the store first, and nothing else. The
 * store is one of {@link DatasetCache} in the format of xmem, whose lines have the hashes of the hasher in use.
 *
 * <pre>
 * java -Xmx1g -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.Rebuild FOLDER
 * </pre>
 */
public final class Rebuild {
    private Rebuild() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Path index = folder.resolve(".xmem/index");
        long bytes = 0;
        for (Path log : files(folder.resolve("data"))) {
            bytes += Files.size(log);
        }
        for (Path file : files(index)) {
            Files.delete(file);
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begin = System.nanoTime();
        double start = processSeconds();
        try (XMemStore store =
                XMem.builder(folder).hasher(new PrecomputedHasher(List.of())).open()) {
            store.search(Query.all().limit(1));
            double opened = processSeconds();
            print("to the first answer", bytes, opened - start, begin);
            store.search(Query.words("nothing").limit(1));
            store.search(Query.literal("nothing has this").limit(1));
            print("text indexes", bytes, processSeconds() - opened, begin);
            print("in total", bytes, processSeconds() - start, begin);
            for (long id : threads.getAllThreadIds()) {
                long nanos = threads.getThreadCpuTime(id);
                if (nanos > 100_000_000) {
                    System.out.printf(
                            "  %s: %.1f s%n", threads.getThreadInfo(id).getThreadName(), nanos / 1e9);
                }
            }
        }
    }

    private static double processSeconds() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis() / 1e3;
    }

    private static void print(String step, long bytes, double seconds, long begin) {
        System.out.printf(
                "%s: %.1f s of processors, %.1f MB/s a core; %.1f s elapsed since the start%n",
                step, seconds, bytes / 1e6 / seconds, (System.nanoTime() - begin) / 1e9);
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
