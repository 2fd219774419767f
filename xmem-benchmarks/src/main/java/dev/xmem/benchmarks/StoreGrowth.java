package dev.xmem.benchmarks;

import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Query;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * Measures how the cost of an operation grows with the store: the same operations on stores of several sizes, in a JVM
 * of its own for each, as ratios to the first size.
 *
 * <pre>
 * java -Xmx2g -cp benchmarks.jar dev.xmem.benchmarks.StoreGrowth FOLDER 1000000,10000000 lucene
 * </pre>
 *
 * Creates the stores below {@code FOLDER} that do not exist: writes the logs and lets xmem build and merge the
 * segments. With a jar that was built with {@code -Ppeers}, the last argument {@code lucene} ranks the same words with
 * Lucene; it may be left out. The heap of the measured JVM is limited to 256 MB. Opening, flush and close are in
 * elapsed time, the other operations in processor time. Ranked words are measured twice in a row, in a JVM that has
 * hardly compiled and in one that has; the pages are data, and ids are read as those of Lucene are.
 */
public final class StoreGrowth {
    private static final int QUERIES = 301;
    /** Ranked words are asked this often besides, so that the JVM has compiled; at most for a number of seconds. */
    private static final int COMPILED_QUERIES = 1500;

    private static final double MOST_MICROS = 45e6;
    private static final List<String> ONE = List.of("permission", "certificate", "timeout", "quota");
    private static final List<String> THREE =
            List.of("permission setting quota", "upstream schema artifact", "timeout expired submodule");

    private final Map<String, Double> micros = new LinkedHashMap<>();

    private StoreGrowth() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        if (args.length > 2 && args[1].equals("measure")) {
            StoreGrowth growth = new StoreGrowth();
            growth.measure(folder.resolve("xmem"));
            if (args[2].equals("lucene")) {
                growth.rank(Engine.named("lucene").open(folder.resolve("lucene")), "Lucene");
            }
            growth.micros.forEach((what, value) -> System.out.println(what + "=" + value));
            return;
        }
        String peer = args.length > 2 ? args[2] : "none";
        Map<String, Map<String, Double>> columns = new LinkedHashMap<>();
        for (String size : args[1].split(",")) {
            Path store = folder.resolve(size);
            create(store, new Dataset(Integer.parseInt(size)), peer);
            columns.put(size, child(store, peer));
        }
        print(columns);
    }

    private static void create(Path folder, Dataset dataset, String peer) throws Exception {
        Path store = folder.resolve("xmem");
        if (!Files.exists(store)) {
            Path temporary = folder.resolve("xmem.tmp");
            long begin = System.nanoTime();
            LogFiles.write(temporary, dataset);
            System.out.printf("%s: logs written after %,d s%n", folder, (System.nanoTime() - begin) / 1_000_000_000);
            try (XMemStore opened = XMem.open(temporary)) {
                opened.search(Query.words("nothing").limit(1));
                opened.verify();
                opened.verify();
            }
            XMemEngine.awaitIndex(temporary, null);
            Files.move(temporary, store);
            System.out.printf(
                    "%s: segments built after %,d s, %,d MB%n",
                    folder, (System.nanoTime() - begin) / 1_000_000_000, LogFiles.bytes(store) >> 20);
        }
        Path other = folder.resolve(peer);
        if (!peer.equals("none") && !Files.exists(other)) {
            Engine.named(peer).fill(Files.createDirectories(other), dataset);
        }
    }

    private static Map<String, Double> child(Path store, String peer) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreGrowth.class.getName(),
                        store.toString(),
                        "measure",
                        peer)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        Map<String, Double> values = new LinkedHashMap<>();
        child.inputReader().lines().filter(line -> line.contains("=")).forEach(line -> {
            int at = line.lastIndexOf('=');
            values.put(line.substring(0, at), Double.valueOf(line.substring(at + 1)));
        });
        if (child.waitFor() != 0) {
            throw new IllegalStateException("the measuring JVM ended with " + child.exitValue());
        }
        return values;
    }

    private void measure(Path folder) throws Exception {
        long begin = System.nanoTime();
        XMemStore store = XMem.builder(folder).tokenBudget(Integer.MAX_VALUE).open();
        try (store) {
            List<Failure> newest = store
                    .search(Query.all().kind(Entry.Kind.FAILURE).limit(100))
                    .matches()
                    .stream()
                    .map(match -> (Failure) match.entry())
                    .toList();
            put("opening, to the first answer", begin);
            List<String> hashes =
                    newest.stream().map(Failure::ctxHash).distinct().toList();
            median("page of a context hash", i -> {
                Query page = Query.all().ctxHash(hashes.get(i % hashes.size()));
                return store.search(page.layout(Query.Layout.DATA).limit(70).tokenBudget(1_000_000 + i));
            });
            median("recall of a failure", i -> {
                Failure failure = newest.get(i % newest.size());
                ToolCall call = ToolCall.json(failure.tool(), failure.action());
                return store.recall(call, ToolError.text(failure.error() + " " + i));
            });
            median(
                    "common literal, newest 20",
                    i -> store.search(Query.literal("error")
                            .layout(Query.Layout.DATA)
                            .limit(20)
                            .tokenBudget(1_000_000 + i)));
            for (int words : new int[] {1, 3}) {
                List<String> queries = words == 1 ? ONE : THREE;
                ranked(
                        "ranked, words: " + words,
                        i -> EntryFields.ids(store.search(Query.words(queries.get(i % queries.size()))
                                        .layout(Query.Layout.DATA)
                                        .limit(20)
                                        .tokenBudget(1_000_000 + i))
                                .matches()));
            }
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            double heap =
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            median("append", i -> store.recordFailure(Failure.of("git", "push b" + i, "fatal: growth " + i)));
            begin = System.nanoTime();
            store.flush();
            put("flush after it", begin);
            begin = System.nanoTime();
            store.close();
            put("close", begin);
            micros.put("heap, bytes", heap);
        }
    }

    private void rank(Engine.Searcher peer, String name) throws Exception {
        try (peer) {
            for (int words : new int[] {1, 3}) {
                List<String> queries = words == 1 ? ONE : THREE;
                QueryType type = words == 1 ? QueryType.RANKED_ONE : QueryType.RANKED_THREE;
                ranked(name + ", words: " + words, i -> {
                    try {
                        return peer.ids(new TestQuery(type, queries.get(i % queries.size()), List.of()));
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
            }
        }
    }

    private void put(String what, long begin) {
        micros.put(what, (System.nanoTime() - begin) / 1e3);
    }

    /** The median of the second half of the runs, in processor time of this thread. */
    private void median(String what, IntFunction<?> run) {
        micros.put(what, median(run, 0, 2 * QUERIES));
    }

    /** The median of a JVM that has hardly compiled, as {@link #median}, and then of one that has. */
    private void ranked(String what, IntFunction<?> run) {
        micros.put(what, median(run, 0, 2 * QUERIES));
        micros.put(what + ", compiled", median(run, 2 * QUERIES, COMPILED_QUERIES));
    }

    private static double median(IntFunction<?> run, int first, int runs) {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        double[] times = new double[runs];
        double sum = 0;
        int n = 0;
        while (n < runs && sum < MOST_MICROS) {
            long begin = thread.getCurrentThreadCpuTime();
            Objects.requireNonNull(run.apply(first + n));
            times[n] = (thread.getCurrentThreadCpuTime() - begin) / 1e3;
            sum += times[n++];
        }
        double[] second = Arrays.copyOfRange(times, n / 2, n);
        Arrays.sort(second);
        return second[second.length / 2];
    }

    private static void print(Map<String, Map<String, Double>> columns) {
        Map<String, Double> first = columns.values().iterator().next();
        System.out.println("| µs | " + String.join(" | ", columns.keySet()) + " |");
        System.out.println("| --- |" + " --- |".repeat(columns.size()));
        for (String what : first.keySet()) {
            StringBuilder row = new StringBuilder("| " + what + " |");
            for (Map<String, Double> column : columns.values()) {
                double value = Objects.requireNonNull(column.get(what));
                double ratio = value / Objects.requireNonNull(first.get(what));
                row.append(String.format(Locale.ROOT, " %,.0f (%.2f×) |", value, ratio));
            }
            System.out.println(row);
        }
    }
}
