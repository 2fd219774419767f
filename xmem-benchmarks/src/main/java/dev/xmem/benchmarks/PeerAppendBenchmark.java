package dev.xmem.benchmarks;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Appends to one engine. Each iteration starts with a fresh copy of a store of {@code entries} entries. */
@State(Scope.Benchmark)
@Fork(1)
public abstract class PeerAppendBenchmark {
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

    /** Checks the answers of the engine. */
    abstract void compare(BenchmarkFixture bench) throws Exception;

    /** Opens the engine on a fresh copy. */
    abstract Peer open(BenchmarkFixture bench, InstantSource clock) throws Exception;

    /** Creates the input and checks the answers of the engine. */
    @Setup(Level.Trial)
    public void compare() throws Exception {
        bench = new BenchmarkFixture(engine, new DatasetCache(folder, entries));
        input = bench().input().toArray(CorpusEntry[]::new);
        compare(bench());
    }

    /** Opens the engine on a fresh copy. */
    @Setup(Level.Iteration)
    public void open() throws Exception {
        peer = open(bench(), InstantSource.system());
    }

    /** Appends the next entry. */
    final String appendNext() throws Exception {
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
