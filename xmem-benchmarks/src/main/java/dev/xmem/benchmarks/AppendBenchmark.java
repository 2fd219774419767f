package dev.xmem.benchmarks;

import java.io.IOException;
import java.time.InstantSource;
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
 * One append of an entry of about 650 bytes, acknowledged at the durability of a finished {@code write}. The context hash
 * is given; redaction and the choice of the error's telling lines are part of xmem's figure. {@code xmem-hashing} is the
 * same with the built-in hasher.
 *
 * <p>Every iteration begins with a fresh copy of a store of so many {@code entries}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
public class AppendBenchmark {
    /** What is measured. */
    @Param({"xmem", "floor", "sqlite"})
    public String engine = "";

    /** How many entries there are before the first append. */
    @Param("10000")
    public int entries;

    /** Where the filled folders are and stay, see {@link DatasetCache}; empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private @Nullable BenchmarkFixture bench;
    private @Nullable Peer peer;
    private CorpusEntry[] input = {};
    private int next;

    /** Makes the input and compares the answers. */
    @Setup(Level.Trial)
    public void compare() throws Exception {
        bench = new BenchmarkFixture(engine, new DatasetCache(folder, entries));
        input = bench().input().toArray(CorpusEntry[]::new);
        bench().compareAppends();
    }

    /** Begins anew. */
    @Setup(Level.Iteration)
    public void open() throws Exception {
        peer = bench().open(InstantSource.system());
    }

    /** The measured call. */
    @Benchmark
    public String append() throws Exception {
        CorpusEntry entry = input[next++ & (input.length - 1)];
        return peer().append(entry);
    }

    /** Removes what was appended. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        peer().close();
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

    private Peer peer() {
        return Objects.requireNonNull(peer);
    }
}
