package dev.xmem.git;

import dev.xmem.core.DirectoryBackend;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small runs of the convergence for each backend; {@link ConvergenceSoak} has the large ones. */
class ConvergenceTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"2, 40, 1", "4, 25, 2", "8, 8, 3"})
    void directory_anyOrder_converges(int replicas, int entries, long seed) throws Exception {
        Convergence convergence =
                new Convergence(folder, dir -> DirectoryBackend.at(folder.resolve("shared")), replicas, seed);
        convergence.run(entries);
        convergence.assertConverged();
    }

    @ParameterizedTest
    @CsvSource({"2, 30, 4", "4, 12, 5"})
    void git_anyOrder_convergesAndTheRemoteIsSound(int replicas, int entries, long seed) throws Exception {
        Remote remote = Remote.create(folder.resolve("remote.git"));
        Convergence convergence = new Convergence(
                folder,
                dir -> GitSyncBackend.of(dir, remote.folder().toString())
                        .transport(Transport.JGIT)
                        .build(),
                replicas,
                seed);
        convergence.run(entries);
        convergence.assertConverged();
        remote.assertSound();
    }
}
