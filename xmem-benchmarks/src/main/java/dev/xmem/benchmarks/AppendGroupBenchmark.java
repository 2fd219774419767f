package dev.xmem.benchmarks;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures concurrent appends that survive a power failure when they return. xmem runs with {@code Durability.GROUP},
 * the floor is a bare group commit of the same bytes, and SQLite runs with {@code synchronous=FULL}, where each
 * thread commits alone.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class AppendGroupBenchmark {
    /** The engine under test. */
    @Param({"xmem", "floor", "sqlite"})
    public String engine = "";

    /** The number of entries in the store before the first append. */
    @Param("10000")
    public int entries;

    /** The folder of the prepared datasets, see {@link DatasetCache}. Empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private final AtomicInteger next = new AtomicInteger();
    private @Nullable BenchmarkFixture bench;
    private @Nullable Peer peer;
    private CorpusEntry[] input = {};

    /** Creates the input and checks the answers of the engine. */
    @Setup(Level.Trial)
    public void compare() throws Exception {
        bench = new BenchmarkFixture(engine, new DatasetCache(folder, entries));
        input = bench().input().toArray(CorpusEntry[]::new);
        bench().compareDurableAppends();
    }

    /** Opens the engine on a fresh copy. */
    @Setup(Level.Iteration)
    public void open() throws Exception {
        peer = bench().openDurable(InstantSource.system());
    }

    /** Appends one entry on one of 16 threads. */
    @Benchmark
    @Threads(16)
    public String threads16() throws Exception {
        return append();
    }

    /** Appends one entry on one of 64 threads. */
    @Benchmark
    @Threads(64)
    public String threads64() throws Exception {
        return append();
    }

    private String append() throws Exception {
        return Objects.requireNonNull(peer).append(input[next.getAndIncrement() & (input.length - 1)]);
    }

    /** Closes the engine and deletes the copy. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        Objects.requireNonNull(peer).close();
        bench().deleteCopy();
    }

    /** Deletes the temporary folder. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        bench().delete();
    }

    private BenchmarkFixture bench() {
        return Objects.requireNonNull(bench);
    }
}
