package dev.xmem.git;

import dev.xmem.core.DirectoryBackend;
import dev.xmem.core.XMem;
import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncConvergence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Convergence through a shared folder, and through git with each transport: small runs always, large ones as soak
 * tests.
 */
class ConvergenceTest {
    @TempDir
    Path folder;

    private SyncConvergence stores(Function<Path, SyncBackend> backend, int replicas, long seed) throws Exception {
        return new SyncConvergence(
                folder,
                machine -> XMem.builder(machine.folder())
                        .clock(machine)
                        .random(machine.random())
                        .syncInterval(Duration.ofDays(1))
                        .sync(machine.through(backend.apply(machine.folder())))
                        .open(),
                replicas,
                seed);
    }

    private void directory(int replicas, int entries, long seed) throws Exception {
        Path shared = folder.resolve("shared");
        try (SyncConvergence stores = stores(dir -> DirectoryBackend.at(shared), replicas, seed)) {
            stores.run(entries);
            stores.assertConverged();
            stores.assertErased(Reachable.files(shared));
            report("directory", replicas, entries, stores);
        }
    }

    /**
     * Pauses before and after the calls of the worker, and before those of the store, so that rounds overlap with
     * everything.
     */
    private void directoryWithPauses(int replicas, int entries, long seed) throws Exception {
        Path shared = folder.resolve("shared");
        Random pauses = new Random(seed);
        Thread here = Thread.currentThread();
        try (SyncConvergence stores = new SyncConvergence(
                folder,
                machine -> XMem.builder(machine.folder())
                        .clock(() -> {
                            if (Thread.currentThread().equals(here)) {
                                Pausing.pause(pauses, 60);
                            }
                            return machine.instant();
                        })
                        .random(machine.random())
                        .syncInterval(Duration.ofDays(1))
                        .sync(machine.through(new Pausing(DirectoryBackend.at(shared), pauses)))
                        .open(),
                replicas,
                seed)) {
            stores.run(entries);
            stores.assertConverged();
            stores.assertErased(Reachable.files(shared));
            report("directory with pauses", replicas, entries, stores);
        }
    }

    private void git(int replicas, int entries, Transport transport, long seed) throws Exception {
        Remote remote = Remote.create(folder.resolve("remote.git"));
        Function<Path, SyncBackend> backend =
                dir -> GitSyncBackend.of(dir, remote.folder().toString())
                        .transport(transport)
                        .build();
        try (SyncConvergence stores = stores(backend, replicas, seed)) {
            stores.run(entries);
            stores.assertConverged();
            stores.assertErased(Reachable.objects(remote));
            report(transport.name(), replicas, entries, stores);
        }
        remote.assertSound();
    }

    private static void report(String backend, int replicas, int entries, SyncConvergence stores) {
        System.out.printf(
                "reliability: convergence, %s, %d replicas of %d entries: %d rounds, %d compactions, %d entries erased%n",
                backend, replicas, entries, stores.rounds(), stores.compactions(), stores.erased());
    }

    @ParameterizedTest
    @CsvSource({"2, 60, 1", "4, 25, 2", "8, 10, 3"})
    void directory_anyOrder_converges(int replicas, int entries, long seed) throws Exception {
        directory(replicas, entries, seed);
    }

    @ParameterizedTest
    @CsvSource({"2, 30, JGIT, 4", "3, 8, GIT, 5", "4, 12, JGIT, 6"})
    void git_anyOrder_convergesAndTheRemoteIsSound(int replicas, int entries, Transport transport, long seed)
            throws Exception {
        git(replicas, entries, transport, seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"2, 400, 11", "4, 300, 12", "8, 200, 13", "16, 100, 14", "2, 400, 15", "4, 300, 16", "16, 100, 17"})
    void directory_anyOrderAndMany_converges(int replicas, int entries, long seed) throws Exception {
        directory(replicas, entries, seed);
    }

    /** Logs that are rewritten within a round: an erased entry must not reappear. */
    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"4, 60, 41", "8, 40, 16", "8, 40, 42"})
    void directory_roundsBesideEverything_converges(int replicas, int entries, long seed) throws Exception {
        directoryWithPauses(replicas, entries, seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({
        "2, 200, GIT, 21",
        "2, 200, JGIT, 22",
        "4, 100, GIT, 23",
        "4, 100, JGIT, 24",
        "8, 60, GIT, 25",
        "8, 60, JGIT, 26",
        "16, 40, GIT, 27",
        "16, 40, JGIT, 28"
    })
    void git_anyOrderAndMany_convergesAndTheRemoteIsSound(int replicas, int entries, Transport transport, long seed)
            throws Exception {
        git(replicas, entries, transport, seed);
    }
}
