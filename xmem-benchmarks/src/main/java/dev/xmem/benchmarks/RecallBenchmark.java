package dev.xmem.benchmarks;

import java.io.IOException;
import java.time.InstantSource;
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
 * Measures the newest page of 70 entries of a context hash, and the advice for a failure. The frequency of the hashes
 * follows the corpus. Every engine parses every field of every entry; xmem also renders the page or the advice as
 * text and counts its tokens. {@code xmem-uncached} has no cache, so each recall reads its entries from disk.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
public class RecallBenchmark {
    /** The engine under test. */
    @Param({"xmem", "xmem-uncached", "floor", "sqlite"})
    public String engine = "";

    /** The number of entries in the store. */
    @Param("10000")
    public int entries;

    /** The folder of the prepared datasets, see {@link DatasetCache}. Empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private @Nullable BenchmarkFixture bench;
    private @Nullable Peer peer;
    private CorpusEntry[] input = {};
    private int next;

    /** Creates the input, checks the answers of the engine and opens it. */
    @Setup(Level.Trial)
    public void compareAndOpen() throws Exception {
        BenchmarkFixture created = new BenchmarkFixture(engine, new DatasetCache(folder, entries));
        bench = created;
        input = created.input().toArray(CorpusEntry[]::new);
        created.compareRecalls();
        peer = created.open(InstantSource.system());
    }

    /** Returns the newest page. */
    @Benchmark
    public List<String> page() throws Exception {
        return peer().page(next().hash().value());
    }

    /** Returns the advice. */
    @Benchmark
    public List<String> advice() throws Exception {
        return peer().advice(next());
    }

    private CorpusEntry next() {
        return input[next++ & (input.length - 1)];
    }

    private Peer peer() {
        return Objects.requireNonNull(peer);
    }

    /** Closes the engine and deletes its files. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        peer().close();
        Objects.requireNonNull(bench).delete();
    }
}
