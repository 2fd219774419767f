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
 * What it costs in time of a processor to make all index files of a store from nothing, in a JVM of its own: the thread that
 * opens it finds the facts of all lines, one in the background writes them and takes the words and trigrams out of every
 * full stretch. Removes the index files of the store first, and nothing else.
 *
 * <pre>
 * java -Xmx1g -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.Rebuild FOLDER
 * </pre>
 */
public final class Rebuild {
    private static final int STRETCH_LINES = 1 << 15;

    private Rebuild() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Path index = folder.resolve(".xmem/index");
        long bytes = 0;
        long stretches = 0;
        for (Path log : files(folder.resolve("data"), ".jsonl")) {
            bytes += Files.size(log);
            try (Stream<String> lines = Files.lines(log)) {
                stretches += lines.count() / STRETCH_LINES;
            }
        }
        for (Path file : files(index, "")) {
            Files.delete(file);
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        try (XMemStore store = XMem.open(folder)) {
            store.search(Query.all().limit(1));
            say("the thread that opens it", bytes, threads.getCurrentThreadCpuTime() - before);
            while (files(index, ".text").size() < stretches) {
                Thread.sleep(50);
            }
            for (long id : threads.getAllThreadIds()) {
                long nanos = threads.getThreadCpuTime(id);
                if (id != Thread.currentThread().getId() && nanos > 1_000_000_000) {
                    say("another thread", bytes, nanos);
                }
            }
        }
    }

    private static void say(String who, long bytes, long nanos) {
        System.out.printf("%s: %.1f s, %.1f MB/s%n", who, nanos / 1e9, bytes * 1e3 / nanos);
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
