package dev.xmem.benchmarks;

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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the startup of the programs in {@link SearchBenchmark}: the same two processes with an empty file. The
 * report subtracts it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SearchStartBenchmark {
    /** The program under test. */
    @Param({"rg", "grep"})
    public String program = "";

    private Engine.@Nullable Searcher answers;

    /** Creates an empty file. */
    @Setup(Level.Trial)
    public void open() throws Exception {
        ProcessEngine engine = new ProcessEngine(program, program);
        answers = engine.openEmpty(new DatasetCache("", 1).directory(engine));
    }

    /** Searches the empty file. */
    @Benchmark
    public List<String> start() throws Exception {
        return Objects.requireNonNull(answers).ids(new TestQuery(QueryType.LITERAL_ABSENT, "zqxv", List.of()));
    }
}
