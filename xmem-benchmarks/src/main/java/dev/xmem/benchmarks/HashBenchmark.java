package dev.xmem.benchmarks;

import dev.xmem.core.XMem;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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

/**
 * Measures the built-in hasher on errors of about 200 characters and on HTTP answers of 8 KiB, beside a masker that
 * replaces names and numbers with one regular expression and does nothing else.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class HashBenchmark {
    private static final int ERRORS = 12;

    /** The engine under test. */
    @Param({"xmem", "masking"})
    public String engine = "";

    /** The kind of input: {@code error} or {@code answer}. */
    @Param({"error", "answer"})
    public String input = "";

    private List<HashInput> inputs = List.of();
    private Function<HashInput, String> hash = HashInput::tool;

    /** Creates the input. */
    @Setup(Level.Trial)
    public void prepare() {
        inputs = input.equals("answer")
                ? IntStream.range(0, ERRORS).mapToObj(HashBenchmark::answer).toList()
                : Template.failures().stream()
                        .limit(ERRORS)
                        .map(HashBenchmark::input)
                        .toList();
        ContextHasher hasher = XMem.hasher();
        hash = engine.equals("xmem") ? input -> hasher.hash(input).value() : input -> Masking.masked(input.error());
    }

    /** Returns an error of the corpus, padded to 200 characters with typical tool output. */
    private static HashInput input(Template template) {
        String message = template.message("orders-service", "2304");
        String around = "\n    at step 3 of 7 (/srv/build/agent-17/work/orders-service/pipeline.log:118)"
                + "\nhint: see https://ci.internal/jobs/81723/log?step=3 for what happened before 2026-02-14T16:30:00Z";
        String error = message + around.substring(0, Math.max(0, Math.min(around.length(), 200 - message.length())));
        return HashInput.of(template.tool(), template.action("orders-service", "2304"))
                .error(error, 1);
    }

    /**
     * Returns an HTTP answer of 8 KiB. The error is before or behind the echo of the request, and every third answer
     * has its headers.
     */
    private static HashInput answer(int number) {
        String error = "\"error\":{\"type\":\"invalid_request\",\"code\":\"resource_missing\",\"param\":\"customer\","
                + "\"message\":\"No such customer: 'cus_" + (81_723 + number) + "'\",\"request_id\":\"req_7Qx" + number
                + "\"}";
        String headers = number % 3 == 0
                ? "HTTP/2 404\r\ndate: Sat, 14 Feb 2026 16:30:00 GMT\r\ncontent-type: application/json\r\n\r\n"
                : "";
        StringBuilder items = new StringBuilder("\"request\":{\"items\":[");
        for (int i = 0; items.length() + error.length() + headers.length() < 8_100; i++) {
            items.append(i == 0 ? "" : ",")
                    .append("{\"sku\":\"A-")
                    .append(1_000 + i)
                    .append("\",\"quantity\":")
                    .append(i % 7)
                    .append(",\"note\":\"deliver to gate ")
                    .append(i)
                    .append("\"}");
        }
        items.append("]}");
        String body = "{" + (number % 2 == 0 ? error + "," + items : items + "," + error) + "}";
        return HashInput.of("http", "POST https://api.example.com/v1/orders/" + number)
                .error(headers + body, 404);
    }

    /** Hashes all inputs. */
    @Benchmark
    @OperationsPerInvocation(ERRORS)
    public void hash(Blackhole blackhole) {
        for (HashInput input : inputs) {
            blackhole.consume(hash.apply(input));
        }
    }
}
