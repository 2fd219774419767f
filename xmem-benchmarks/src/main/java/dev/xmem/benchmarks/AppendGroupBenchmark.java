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
 * Appends of many threads, each acknowledged when it survives a power cut: {@code Durability.GROUP} beside a bare group
 * commit of the same bytes and SQLite with {@code synchronous=FULL}, where a commit is one thread's.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class AppendGroupBenchmark {
    /** What is measured. */
    @Param({"xmem", "floor", "sqlite"})
    public String engine = "";

    /** How many entries there are before the first append. */
    @Param("10000")
    public int entries;

    /** Where the filled folders are and stay, see {@link DatasetCache}; empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private final AtomicInteger next = new AtomicInteger();
    private @Nullable BenchmarkFixture bench;
    private @Nullable Peer peer;
    private CorpusEntry[] input = {};

    /** Makes the input and compares the answers. */
    @Setup(Level.Trial)
    public void compare() throws Exception {
        bench = new BenchmarkFixture(engine, new DatasetCache(folder, entries));
        input = bench().input().toArray(CorpusEntry[]::new);
        bench().compareDurableAppends();
    }

    /** Begins anew. */
    @Setup(Level.Iteration)
    public void open() throws Exception {
        peer = bench().openDurable(InstantSource.system());
    }

    /** One append of one of 16 threads. */
    @Benchmark
    @Threads(16)
    public String threads16() throws Exception {
        return append();
    }

    /** One append of one of 64 threads. */
    @Benchmark
    @Threads(64)
    public String threads64() throws Exception {
        return append();
    }

    private String append() throws Exception {
        return Objects.requireNonNull(peer).append(input[next.getAndIncrement() & (input.length - 1)]);
    }

    /** Removes what was appended. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        Objects.requireNonNull(peer).close();
        bench().deleteCopy();
    }

    /** Removes the input. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        bench().delete();
    }

    private BenchmarkFixture bench() {
        return Objects.requireNonNull(bench);
    }
}
