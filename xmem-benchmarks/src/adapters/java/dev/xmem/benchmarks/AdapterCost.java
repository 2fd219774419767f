package dev.xmem.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;

/**
 * Prints the processor time that the calls of {@link AdapterBenchmark} cost their own thread. Unlike the time of a
 * clock it says something on a busy machine too.
 */
public final class AdapterCost {
    private static final int WARM_UP = 30_000;
    private static final int CALLS = 20_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private AdapterCost() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException {
        for (int chars : new int[] {200, 4_000}) {
            AdapterBenchmark benchmark = new AdapterBenchmark();
            benchmark.chars = chars;
            benchmark.open();
            print(chars, "LangChain4j", benchmark::langchain4jNone, benchmark::langchain4jXmem);
            print(chars, "Spring AI", benchmark::springAiNone, benchmark::springAiXmem);
            benchmark.delete();
        }
    }

    private static void print(int chars, String framework, Runnable none, Runnable xmem) {
        double without = micros(none);
        System.out.printf(
                Locale.ROOT,
                "%s, result of %d characters: %.1f µs a call, %.1f µs without the adapter%n",
                framework,
                chars,
                micros(xmem),
                without);
    }

    private static double micros(Runnable call) {
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        long began = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return (THREADS.getCurrentThreadCpuTime() - began) / 1e3 / CALLS;
    }
}
