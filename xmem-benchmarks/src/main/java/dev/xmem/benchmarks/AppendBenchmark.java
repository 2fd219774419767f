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
 * Measures one append of an entry of about 650 bytes. xmem acknowledges at the durability of a completed {@code
 * write}. The context hash is precomputed; redaction and the selection of the significant error lines are part of the
 * figure of xmem. The engine {@code xmem-hashing} computes the hash with the built-in hasher.
 *
 * <p>Each iteration starts with a fresh copy of a store of {@code entries} entries.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
public class AppendBenchmark {
    /** The engine under test. */
    @Param({"xmem", "floor", "sqlite"})
    public String engine = "";

    /** The number of entries in the store before the first append. */
    @Param("10000")
    public int entries;

    /** The folder of the prepared datasets, see {@link DatasetCache}. Empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private @Nullable BenchmarkFixture bench;
    private @Nullable Peer peer;
    private CorpusEntry[] input = {};
    private int next;

    /** Creates the input and checks the answers of the engine. */
    @Setup(Level.Trial)
    public void compare() throws Exception {
        bench = new BenchmarkFixture(engine, new DatasetCache(folder, entries));
        input = bench().input().toArray(CorpusEntry[]::new);
        bench().compareAppends();
    }

    /** Opens the engine on a fresh copy. */
    @Setup(Level.Iteration)
    public void open() throws Exception {
        peer = bench().open(InstantSource.system());
    }

    /** Appends one entry. */
    @Benchmark
    public String append() throws Exception {
        CorpusEntry entry = input[next++ & (input.length - 1)];
        return peer().append(entry);
    }

    /** Closes the engine and deletes the copy. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        peer().close();
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

    private Peer peer() {
        return Objects.requireNonNull(peer);
    }
}
