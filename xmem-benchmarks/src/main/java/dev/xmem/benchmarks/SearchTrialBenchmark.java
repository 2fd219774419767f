package dev.xmem.benchmarks;

import java.io.IOException;
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

/** Runs the queries of one type on one engine. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class SearchTrialBenchmark {
    /** The number of entries in the store. */
    @Param("10000")
    public int entries;

    /** The folder of the prepared datasets, see {@link DatasetCache}. Empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private @Nullable SearchTrial trial;

    /** Returns the name of the engine under test. */
    abstract String engine();

    /** Returns the name of the {@link QueryType}. */
    abstract String query();

    /** Opens the engine and checks its answers. */
    @Setup(Level.Trial)
    public void compareAndOpen() throws Exception {
        trial = new SearchTrial(engine(), QueryType.valueOf(query()), new DatasetCache(folder, entries));
    }

    /** Runs one query. */
    @Benchmark
    public Object search() throws Exception {
        return Objects.requireNonNull(trial).next();
    }

    /** Closes the engine. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (trial != null) {
            trial.close();
        }
    }
}
