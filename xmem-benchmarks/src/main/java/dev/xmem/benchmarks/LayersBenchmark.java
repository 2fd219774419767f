package dev.xmem.benchmarks;

import dev.xmem.Advice;
import dev.xmem.Failure;
import dev.xmem.Layer;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the advice for a failure from one store, and from a store that also asks the user's and the team's. Each
 * store knows the failure, with another lesson.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
public class LayersBenchmark {
    private static final int TOOLS = 64;

    /** The number of stores that are asked. */
    @Param({"1", "3"})
    public int layers;

    /** The number of failures in each store. */
    @Param("10000")
    public int entries;

    private @Nullable XMemStore store;
    private @Nullable Path folder;
    private int next;

    /** Fills the stores. Fails unless each of them answers. */
    @Setup(Level.Trial)
    public void fill() throws IOException {
        Path created = Files.createTempDirectory("xmem-layers-benchmark");
        folder = created;
        for (String name : List.of("project", "user", "team")) {
            try (XMemStore each = XMem.open(created.resolve(name))) {
                for (int i = 0; i < entries; i++) {
                    each.recordFailure(
                            Failure.of(call(i), error(i)).patternAvoid("the " + name + " says " + i % TOOLS));
                }
            }
        }
        XMem.Builder builder = XMem.builder(created.resolve("project")).guardLimit(Duration.ofSeconds(2));
        if (layers > 1) {
            builder.alsoAsk(Layer.USER, XMem.builder(created.resolve("user")))
                    .alsoAsk(Layer.TEAM, XMem.builder(created.resolve("team")));
        }
        XMemStore opened = builder.open();
        store = opened;
        String text = opened.recall(call(0), error(0)).text();
        if (!text.contains("the project says") || text.contains("the team says") != layers > 1) {
            throw new IllegalStateException("every layer should answer: " + text);
        }
    }

    private static ToolCall call(int i) {
        return ToolCall.shell("tool" + i % TOOLS + " sync remote:a /b");
    }

    private static ToolError error(int i) {
        return ToolError.exit(1, "error: remote of tool" + i % TOOLS + " not found in the configuration file");
    }

    /** Returns the advice. */
    @Benchmark
    public Advice advice() {
        int i = next++;
        return Objects.requireNonNull(store).recall(call(i), error(i));
    }

    /** Closes the store and deletes the files. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        Objects.requireNonNull(store).close();
        LogFiles.delete(Objects.requireNonNull(folder));
    }
}
