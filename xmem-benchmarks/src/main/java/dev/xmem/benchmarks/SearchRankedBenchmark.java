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

/**
 * The best twenty entries for words, by each engine's own formula: BM25 over fields in xmem, {@code bm25} of FTS5 in SQLite, BM25
 * in {@code lucene}, which is there where the benchmarks are built with {@code -Ppeers}. What each engine answers is kept in
 * the folder, and {@code TokenFormat} says how much the answers share.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SearchRankedBenchmark {
    /** What is measured. */
    @Param({"xmem", "sqlite"})
    public String engine = "";

    /** How many entries there are. */
    @Param("10000")
    public int entries;

    /** What is asked. */
    @Param({"RANKED_ONE", "RANKED_THREE"})
    public String query = "";

    /** Where the filled folders are and stay, see {@link DatasetCache}; empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private @Nullable SearchTrial trial;

    /** Opens, and compares the answers. */
    @Setup(Level.Trial)
    public void compareAndOpen() throws Exception {
        trial = new SearchTrial(engine, QueryType.valueOf(query), new DatasetCache(folder, entries));
    }

    /** One answer, every field of every entry of it parsed. */
    @Benchmark
    public Object search() throws Exception {
        return Objects.requireNonNull(trial).next();
    }

    /** Closes. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        if (trial != null) {
            trial.close();
        }
    }
}
