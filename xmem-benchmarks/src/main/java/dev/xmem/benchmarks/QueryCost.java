package dev.xmem.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures the processor time of the thread that queries, for engines that take turns in one JVM: a ratio that other
 * work on the machine distorts less than {@link SearchBenchmark}. The first rounds warm up, the last one counts.
 *
 * <pre>
 * java -Xmx1g -cp benchmarks.jar dev.xmem.benchmarks.QueryCost FOLDER 1000000 PAGE_FIRST xmem-data,xmem,sqlite 5 15
 * </pre>
 *
 * {@code FOLDER} is as in {@link DatasetCache}; the last arguments are rounds, and seconds for each engine and round.
 */
final class QueryCost {
    private QueryCost() {}

    public static void main(String[] args) throws Exception {
        DatasetCache cache = new DatasetCache(args[0], Integer.parseInt(args[1]));
        QueryType type = QueryType.valueOf(args[2]);
        Map<String, SearchTrial> engines = new LinkedHashMap<>();
        for (String engine : args[3].split(",")) {
            engines.put(engine, new SearchTrial(engine, type, cache));
        }
        for (int round = 1; round <= Integer.parseInt(args[4]); round++) {
            for (String engine : engines.keySet()) {
                long seconds = Long.parseLong(args[5]);
                List<Long> nanos = measure(Objects.requireNonNull(engines.get(engine)), seconds * 1_000_000_000);
                System.out.printf(
                        "round %d, %s: median %.1f µs of %d queries%n",
                        round, engine, nanos.get(nanos.size() / 2) / 1e3, nanos.size());
            }
        }
        for (SearchTrial trial : engines.values()) {
            trial.close();
        }
    }

    private static List<Long> measure(SearchTrial trial, long duration) throws Exception {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        List<Long> nanos = new ArrayList<>();
        long end = System.nanoTime() + duration;
        do {
            long begin = thread.getCurrentThreadCpuTime();
            trial.next();
            nanos.add(thread.getCurrentThreadCpuTime() - begin);
        } while (System.nanoTime() < end);
        Collections.sort(nanos);
        return nanos;
    }
}
