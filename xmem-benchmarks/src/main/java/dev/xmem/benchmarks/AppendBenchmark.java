package dev.xmem.benchmarks;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures one append of an entry of about 650 bytes. xmem acknowledges at the durability of a completed {@code
 * write}. The context hash is precomputed; redaction and the selection of the significant error lines are part of the
 * figure of xmem. The engine {@code xmem-hashing} computes the hash with the built-in hasher.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 3)
public class AppendBenchmark extends PeerAppendBenchmark {
    @Override
    void compare(BenchmarkFixture bench) throws Exception {
        bench.compareAppends();
    }

    @Override
    Peer open(BenchmarkFixture bench, InstantSource clock) throws Exception {
        return bench.open(clock);
    }

    /** Appends one entry. */
    @Benchmark
    public String append() throws Exception {
        return appendNext();
    }
}
