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
 * Measures queries with one correct answer: the newest entries of a context hash, with a literal, or that match a
 * regular expression; see {@link QueryType}. Every engine returns the entries with all fields parsed; {@code xmem}
 * also renders the page as text and counts its tokens, {@code xmem-data} does not. Other engines: {@code grep},
 * {@code recipe} (the shell recipe of the X-MEM protocol) and {@code sqlite-trigram}. With {@code -Ppeers}:
 * {@code lucene} for literals, {@code rocksdb} and {@code mvstore} for pages.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SearchBenchmark {
    /** The engine under test. */
    @Param({"xmem", "xmem-data", "sqlite", "ripgrep"})
    public String engine = "";

    /** The number of entries in the store. */
    @Param("10000")
    public int entries;

    /** The {@link QueryType}. */
    @Param({
        "PAGE_FIRST",
        "PAGE_AGAIN",
        "LITERAL_COMMON",
        "LITERAL_ABSENT",
        "LITERAL_NEAR_MISS",
        "LITERAL_FAR",
        "PHRASE_ABSENT",
        "REGEX_LITERAL",
        "REGEX_OPEN",
        "REGEX_OPEN_ABSENT"
    })
    public String query = "";

    /** The folder of the prepared datasets, see {@link DatasetCache}. Empty for one below {@code java.io.tmpdir}. */
    @Param("")
    public String folder = "";

    private @Nullable SearchTrial trial;

    /** Opens the engine and checks its answers. */
    @Setup(Level.Trial)
    public void compareAndOpen() throws Exception {
        trial = new SearchTrial(engine, QueryType.valueOf(query), new DatasetCache(folder, entries));
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
