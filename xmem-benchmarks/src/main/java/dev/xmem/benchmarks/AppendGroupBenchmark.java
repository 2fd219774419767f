package dev.xmem.benchmarks;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures concurrent appends that survive a power failure when they return. xmem runs with {@code Durability.GROUP},
 * the floor is a bare group commit of the same bytes, and SQLite runs with {@code synchronous=FULL}, where each
 * thread commits alone.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class AppendGroupBenchmark extends PeerAppendBenchmark {
    @Override
    void compare(BenchmarkFixture bench) throws Exception {
        bench.compareDurableAppends();
    }

    @Override
    Peer open(BenchmarkFixture bench, InstantSource clock) throws Exception {
        return bench.openDurable(clock);
    }

    /** Appends one entry on one of 16 threads. */
    @Benchmark
    @Threads(16)
    public String threads16() throws Exception {
        return appendNext();
    }

    /** Appends one entry on one of 64 threads. */
    @Benchmark
    @Threads(64)
    public String threads64() throws Exception {
        return appendNext();
    }
}
