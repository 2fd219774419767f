package dev.xmem.benchmarks;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Match;
import dev.xmem.Query;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Opens a large store in a JVM of its own and measures the time to the first answer, the heap after a full GC, and
 * queries that differ from each other. Creates the store if it does not exist. The first run builds the index
 * segments; the second run opens with them.
 *
 * <pre>
 * java -Xmx1g -cp xmem-benchmarks/target/benchmarks.jar dev.xmem.benchmarks.LargeStore FOLDER 1000000
 * </pre>
 */
public final class LargeStore {
    private static final int QUERIES = 41;

    private LargeStore() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        if (!Files.exists(folder)) {
            LogFiles.write(folder, new Dataset(Integer.parseInt(args[1])));
        }
        long jvmStart = ManagementFactory.getRuntimeMXBean().getStartTime();
        System.out.printf("logs: %d MB%n", bytes(folder.resolve("data")) >> 20);
        System.out.printf("since the JVM's start: %d ms%n", System.currentTimeMillis() - jvmStart);
        try (XMemStore store = XMem.open(folder)) {
            List<Match> newest = store.search(Query.all().limit(1)).matches();
            System.out.printf(
                    "first answer, %s: %d ms since the JVM's start%n",
                    newest.get(0).entry().id(), System.currentTimeMillis() - jvmStart);
            System.out.printf("heap: %d MB%n", heap());
            measure(store);
            System.out.printf("heap: %d MB%n", heap());
        }
        System.out.printf("index: %d MB%n", bytes(folder.resolve(".xmem/index")) >> 20);
    }

    private static void measure(XMemStore store) {
        List<String> hashes = store.search(Query.all().kind(Entry.Kind.FAILURE)).matches().stream()
                .map(match -> ((Failure) match.entry()).ctxHash())
                .distinct()
                .toList();
        measure(
                store,
                "newest 70 of a context hash",
                i -> Query.all().ctxHash(hashes.get(i % hashes.size())).limit(70 - i / hashes.size()));
        measure(store, "newest 70 of a tool", i -> Query.all().tool("git").limit(70 - i));
        measure(store, "literal, common, newest 20", i -> Query.literal("error").limit(60 - i));
        measure(store, "literal, absent", i -> Query.literal("qqzzxxyy" + i).limit(20));
        measure(
                store,
                "regular expression, absent",
                i -> Query.regex("qqzz" + i + "[a-z]+foo").limit(20));
        measure(store, "ranked, one word", i -> Query.words("permission").limit(60 - i));
        measure(
                store,
                "ranked, three words",
                i -> Query.words("git push rejected").limit(60 - i));
        measure(
                store,
                "ranked, two rarer words",
                i -> Query.words("certificate expired").limit(60 - i));
    }

    private static void measure(XMemStore store, String what, IntFunction<Query> queries) {
        long[] nanos = new long[QUERIES];
        long hits = 0;
        for (int i = 0; i < QUERIES; i++) {
            Query query = queries.apply(i);
            long begin = System.nanoTime();
            hits = store.search(query).total();
            nanos[i] = System.nanoTime() - begin;
        }
        long first = nanos[0];
        Arrays.sort(nanos);
        System.out.printf(
                "%-30s first %,10.0f µs, median %,8.0f µs, %,d hits%n",
                what, first / 1e3, nanos[QUERIES / 2] / 1e3, hits);
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    }

    private static long bytes(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
