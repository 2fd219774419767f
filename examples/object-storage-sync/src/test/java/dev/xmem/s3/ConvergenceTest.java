package dev.xmem.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.XMem;
import dev.xmem.s3.TestBucket.Fault;
import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncConvergence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Convergence of several stores through a bucket, also on a network that loses requests and answers. */
class ConvergenceTest {
    @TempDir
    Path folder;

    private SyncConvergence stores(Supplier<SyncBackend> backend, int replicas, long seed) throws Exception {
        return new SyncConvergence(
                folder,
                machine -> XMem.builder(machine.folder())
                        .clock(machine)
                        .random(machine.random())
                        .syncInterval(Duration.ofDays(1))
                        .sync(machine.through(backend.get()))
                        .open(),
                replicas,
                seed);
    }

    private void converge(int replicas, int entries, int faultsPercent, long seed) throws Exception {
        Random random = new Random(seed);
        Fault[] kinds = {Fault.DROPPED_BEFORE, Fault.DROPPED_AFTER, Fault.DROPPED_AFTER, Fault.SLOW_DOWN, Fault.INTERNAL
        };
        try (TestBucket bucket = new TestBucket();
                SyncConvergence stores = stores(bucket::backend, replicas, seed)) {
            bucket.pageSize = 7;
            bucket.fault = (method, key) -> {
                synchronized (random) {
                    return random.nextInt(100) < faultsPercent ? kinds[random.nextInt(kinds.length)] : Fault.NONE;
                }
            };
            stores.run(entries);
            stores.assertConverged();
            stores.assertErased(bucket.everything());
            assertThat(bucket.faults.get() > 0).isEqualTo(faultsPercent > 0);
            System.out.printf(
                    "reliability: convergence, object storage, %d replicas of %d entries: %d rounds, %d compactions,"
                            + " %d entries erased, %d requests, %d of them failed%n",
                    replicas,
                    entries,
                    stores.rounds(),
                    stores.compactions(),
                    stores.erased(),
                    bucket.requests.get(),
                    bucket.faults.get());
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 30, 5, 1", "4, 10, 3, 2"})
    void bucket_anyOrderAndFaults_converges(int replicas, int entries, int faultsPercent, long seed) throws Exception {
        converge(replicas, entries, faultsPercent, seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({
        "2, 60, 0, 1",
        "4, 20, 5, 2",
        "8, 8, 3, 3",
        "2, 300, 10, 31",
        "4, 200, 5, 32",
        "8, 100, 5, 33",
        "16, 60, 3, 34"
    })
    void bucket_anyOrderAndFaultsAndMany_converges(int replicas, int entries, int faultsPercent, long seed)
            throws Exception {
        converge(replicas, entries, faultsPercent, seed);
    }

    /** On a server that others wrote. */
    @ParameterizedTest
    @CsvSource({"2, 60, 1", "4, 20, 2", "8, 8, 3"})
    void realServer_anyOrder_converges(int replicas, int entries, long seed) throws Exception {
        String place = RealServer.folder();
        RealServer.backend(place).close(); // skips where there is none
        try (SyncConvergence stores = stores(() -> RealServer.backend(place), replicas, seed)) {
            stores.run(entries);
            stores.assertConverged();
        }
    }
}
