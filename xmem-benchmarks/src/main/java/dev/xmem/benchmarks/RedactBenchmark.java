package dev.xmem.benchmarks;

import dev.xmem.core.text.redact.Redaction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Measures the removal of secrets from texts that have none, as nearly all have. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class RedactBenchmark {
    private static final int TEXTS = 12;
    private static final int LOG_LINES = 80;

    /** The kind of text: an {@code error} of a line or two, or a {@code log} of 12 KiB with hashes. */
    @Param({"error", "log"})
    public String input = "";

    private final Redaction redaction = new Redaction(null);
    private List<String> texts = List.of();

    /** Creates the texts. */
    @Setup(Level.Trial)
    public void prepare() {
        texts = input.equals("log")
                ? IntStream.range(0, TEXTS).mapToObj(RedactBenchmark::log).toList()
                : Template.failures().stream()
                        .limit(TEXTS)
                        .map(template -> template.message("orders-service", "2304"))
                        .toList();
    }

    private static String log(int number) {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < LOG_LINES; i++) {
            log.append("2026-02-14T16:30:")
                    .append(10 + i % 50)
                    .append("Z INFO  worker-")
                    .append(number)
                    .append(" fetched sha256:")
                    .append("9f86d081884c7d659a2feaa0c55ad015".substring(i % 8))
                    .append(" cache_key=linux-node-")
                    .append(i)
                    .append(" (https://ci.internal/jobs/81723/log?step=3)\n");
        }
        return log.toString();
    }

    /** Cleans all texts. */
    @Benchmark
    @OperationsPerInvocation(TEXTS)
    public void clean(Blackhole blackhole) {
        for (String text : texts) {
            blackhole.consume(redaction.clean(text));
        }
    }
}
