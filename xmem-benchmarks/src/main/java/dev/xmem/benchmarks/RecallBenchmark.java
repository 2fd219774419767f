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
 * What is known of a context hash: the newest page of 70, and the advice for a failure. The hashes asked for have the
 * corpus's skew. Every engine parses every field of every entry; xmem also renders the page and the advice as text and
 * counts its tokens. {@code xmem-uncached} keeps no parsed entries, so each recall is a first one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
public class RecallBenchmark {
    /** What is measured. */
    @Param({"xmem", "xmem-uncached", "floor", "sqlite"})
    public String engine = "";

    /** How many entries there are. */
    @Param("10000")
    public int entries;

    /** Where the filled folders are and stay, see {@link DatasetCache}; empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private @Nullable BenchmarkFixture bench;
    private @Nullable Peer peer;
    private CorpusEntry[] input = {};
    private int next;

    /** Makes the input, compares the answers and opens. */
    @Setup(Level.Trial)
    public void compareAndOpen() throws Exception {
        BenchmarkFixture made = new BenchmarkFixture(engine, new DatasetCache(folder, entries));
        bench = made;
        input = made.input().toArray(CorpusEntry[]::new);
        made.compareRecalls();
        peer = made.open(InstantSource.system());
    }

    /** The newest page. */
    @Benchmark
    public List<String> page() throws Exception {
        return peer().page(next().hash().value());
    }

    /** The advice. */
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

    /** Closes and removes everything. */
    @TearDown(Level.Trial)
    public void delete() throws IOException {
        peer().close();
        Objects.requireNonNull(bench).delete();
    }
}
