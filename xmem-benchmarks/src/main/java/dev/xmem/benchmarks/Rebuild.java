package dev.xmem.benchmarks;

import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the processor time to rebuild all index files of a store, as bytes of the logs per second of a core: once in
 * a new JVM, and again while it is warm. The opening thread has the fields of all lines read, on all cores; the
 * background writes them, and the terms and trigrams of each segment, unless a search needs them first. A merge of
 * segments that happens meanwhile counts. The threads of the JVM, which compile and collect garbage, are told apart on
 * Linux. Deletes the index files of the store before each round, and nothing else. The store is one of
 * {@link DatasetCache} in the format of xmem, whose lines have the hashes of the hasher in use.
 *
 * <pre>
 * java -Xmx1g -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.Rebuild FOLDER [ROUNDS]
 * </pre>
 */
public final class Rebuild {
    private static final Path TASKS = Path.of("/proc/self/task");
    /** The beginnings of the names of the threads of the JVM that take time. */
    private static final List<String> JVM = List.of("C1 ", "C2 ", "G1 ", "GC ");
    /** Of a clock tick of the operating system, in which it counts the time of threads. */
    private static final double TICKS_A_SECOND = 100;

    private Rebuild() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        long bytes = 0;
        for (Path log : files(folder.resolve("data"))) {
            bytes += Files.size(log);
        }
        for (int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 1; rounds > 0; rounds--) {
            rebuild(folder, bytes);
        }
    }

    private static void rebuild(Path folder, long bytes) throws Exception {
        for (Path file : files(folder.resolve(".xmem/index"))) {
            Files.delete(file);
        }
        double start = seconds(false);
        double jvm = seconds(true);
        try (XMemStore store =
                XMem.builder(folder).hasher(new PrecomputedHasher(List.of())).open()) {
            store.search(Query.all().limit(1));
            double opened = seconds(false);
            double jvmOpened = seconds(true);
            print("to the first answer", bytes, opened - start, jvmOpened - jvm);
            store.search(Query.words("nothing").limit(1));
            store.search(Query.literal("nothing has this").limit(1));
            double end = seconds(false);
            double jvmEnd = seconds(true);
            print("text indexes", bytes, end - opened, jvmEnd - jvmOpened);
            print("in total", bytes, end - start, jvmEnd - jvm);
        }
    }

    /** The processor time of all threads of the process, or of those of the JVM. */
    private static double seconds(boolean ofJvm) throws IOException {
        if (!ofJvm) {
            return ProcessHandle.current()
                            .info()
                            .totalCpuDuration()
                            .orElseThrow()
                            .toMillis()
                    / 1e3;
        }
        double ticks = 0;
        for (Path task : Files.isDirectory(TASKS) ? list(TASKS) : List.<Path>of()) {
            try {
                String status = Files.readString(task.resolve("stat"));
                String name = status.substring(status.indexOf('(') + 1, status.lastIndexOf(')'));
                String[] rest = status.substring(status.lastIndexOf(')') + 2).split(" ");
                if (JVM.stream().anyMatch(name::startsWith)) {
                    ticks += Double.parseDouble(rest[11]) + Double.parseDouble(rest[12]);
                }
            } catch (NoSuchFileException e) {
                // the thread has ended
            }
        }
        return ticks / TICKS_A_SECOND;
    }

    private static void print(String step, long bytes, double seconds, double jvm) {
        System.out.printf(
                "%s: %.2f s of processors, %.1f MB/s a core; without the %.2f s of the JVM %.1f MB/s%n",
                step, seconds, bytes / 1e6 / seconds, jvm, bytes / 1e6 / (seconds - jvm));
    }

    private static List<Path> files(Path folder) throws IOException {
        return Files.isDirectory(folder)
                ? list(folder).stream().filter(Files::isRegularFile).toList()
                : List.of();
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }
}
