package dev.xmem.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Measures the processor time of the thread that queries or appends, for engines that take turns in one JVM: a ratio
 * that other work on the machine distorts less than {@link SearchBenchmark} and {@link AppendBenchmark}. The first
 * rounds warm up, the last one counts.
 *
 * <pre>
 * java -Xmx1g -cp benchmarks.jar dev.xmem.benchmarks.QueryCost FOLDER 1000000 PAGE_FIRST xmem-data,xmem,sqlite 5 15
 * java -Xmx1g -cp benchmarks.jar dev.xmem.benchmarks.QueryCost FOLDER 1000000 APPEND \
 *     floor,xmem,xmem-hashing,xmem-hashing-new 5 5
 * </pre>
 *
 * {@code FOLDER} is as in {@link DatasetCache}; the last arguments are rounds, and seconds of processor time for each
 * engine and round. An append is of an engine of {@link AppendBenchmark}. Each engine appends the same 128 entries
 * again and again; one whose name ends in {@code -new} appends them with another error, or another name of a success,
 * each time. For ranked words, {@code xmem-data-new} and {@code lucene-new} are engines that are opened again before
 * a word is asked a second time.
 */
final class QueryCost {
    /** An operation that took so much longer than its processor time was interrupted, or waited. */
    private static final long INTERRUPTED_NANOS = 50_000;

    private QueryCost() {}

    /** Repeats an operation. */
    interface Trial extends AutoCloseable {
        /** Prepares the next operation, which is not measured. */
        void prepare() throws Exception;

        Object next() throws Exception;

        @Override
        void close() throws IOException;
    }

    public static void main(String[] args) throws Exception {
        DatasetCache cache = new DatasetCache(args[0], Integer.parseInt(args[1]));
        Map<String, Trial> engines = new LinkedHashMap<>();
        for (String engine : args[3].split(",")) {
            boolean append = args[2].equals("APPEND");
            engines.put(
                    engine,
                    append
                            ? new AppendTrial(engine, cache)
                            : new SearchTrial(engine, QueryType.valueOf(args[2]), cache));
        }
        for (int round = 1; round <= Integer.parseInt(args[4]); round++) {
            double first = 0;
            for (String engine : engines.keySet()) {
                long seconds = Long.parseLong(args[5]);
                double median = measure(
                        "round " + round + ", " + engine, Objects.requireNonNull(engines.get(engine)), seconds, first);
                first = first == 0 ? median : first;
            }
        }
        for (Trial trial : engines.values()) {
            trial.close();
        }
    }

    private static double measure(String name, Trial trial, long seconds, double first) throws Exception {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        List<Long> cpu = new ArrayList<>();
        List<Long> elapsed = new ArrayList<>();
        List<Long> uninterrupted = new ArrayList<>();
        long spent = 0;
        while (spent < seconds * 1_000_000_000) {
            trial.prepare();
            long begin = System.nanoTime();
            long beginCpu = thread.getCurrentThreadCpuTime();
            trial.next();
            long nanos = thread.getCurrentThreadCpuTime() - beginCpu;
            long all = System.nanoTime() - begin;
            elapsed.add(all);
            cpu.add(nanos);
            if (all - nanos < INTERRUPTED_NANOS) {
                uninterrupted.add(nanos);
            }
            spent += nanos;
        }
        Collections.sort(cpu);
        Collections.sort(elapsed);
        Collections.sort(uninterrupted);
        double median = at(cpu, 0.5);
        System.out.printf(
                "%s: median %.1f µs (%.2f of the first), mean %.1f µs, p99 %.1f µs, of the uninterrupted %.1f µs;"
                        + " elapsed %.1f µs, p99 %.1f µs; %d%n",
                name,
                median,
                first == 0 ? 1 : median / first,
                cpu.stream().mapToLong(n -> n).average().orElse(0) / 1e3,
                at(cpu, 0.99),
                at(uninterrupted, 0.99),
                at(elapsed, 0.5),
                at(elapsed, 0.99),
                cpu.size());
        return median;
    }

    private static double at(List<Long> sorted, double quantile) {
        return sorted.isEmpty() ? Double.NaN : sorted.get((int) (quantile * sorted.size())) / 1e3;
    }
}
