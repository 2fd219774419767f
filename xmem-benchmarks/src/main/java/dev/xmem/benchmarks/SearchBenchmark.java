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
 * Questions with one right answer, the newest entries of a context hash, with a text, or that a regular expression finds; see
 * {@link QueryType}. Every engine gives the entries, all their fields parsed; xmem also renders the page as text and counts its
 * tokens. Other engines: {@code grep}, {@code seed} (the recipe of the seed), {@code sqlite-trigram}; {@code lucene} for the
 * literals and {@code rocksdb} and {@code mvstore} for the pages, where the benchmarks are built with {@code -Ppeers}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SearchBenchmark {
    /** What is measured. */
    @Param({"xmem", "sqlite", "ripgrep"})
    public String engine = "";

    /** How many entries there are. */
    @Param("10000")
    public int entries;

    /** What is asked. */
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
