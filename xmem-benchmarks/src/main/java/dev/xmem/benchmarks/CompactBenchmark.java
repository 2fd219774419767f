package dev.xmem.benchmarks;

import dev.xmem.CompactionReport;
import dev.xmem.Retention;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
 * Measures the compaction of a store in which three of ten lines are duplicates, beside a copy of its log. The segments
 * of the log are written before, as they are in a store that is in use.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
public class CompactBenchmark {
    /** The number of lines in the log. */
    @Param({"10000", "100000"})
    public int entries;

    private Path directory = Path.of("");
    private XMemStore store = XMem.inMemory();

    /** Creates a store for one compaction. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        directory = Files.createTempDirectory("xmem-compact");
        DuplicateLogGenerator.write(directory, entries, 3, Instant.now().minusSeconds(60));
        try (XMemStore sealed = XMem.open(directory)) {
            sealed.flush();
        }
        store = XMem.open(directory);
    }

    /** Plans and runs the compaction. */
    @Benchmark
    public CompactionReport compact() {
        return store.compact(store.planCompaction(Retention.defaults()));
    }

    /** The floor: copies the log once. */
    @Benchmark
    public Path copy() throws IOException {
        return Files.copy(
                directory.resolve("data/failures.jsonl"),
                directory.resolve("copy"),
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes the store. */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        store.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
