package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.core.DirectoryBackend;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large runs of the convergence. */
@Tag("soak")
class ConvergenceSoak {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"2, 400, 11", "4, 300, 12", "8, 200, 13", "16, 100, 14"})
    void directory_anyOrder_converges(int replicas, int entries, long seed) throws Exception {
        Convergence convergence =
                new Convergence(folder, dir -> DirectoryBackend.at(folder.resolve("shared")), replicas, seed);
        convergence.run(entries);
        convergence.assertConverged();
    }

    @ParameterizedTest
    @CsvSource({"2, 200, GIT, 21", "4, 100, JGIT, 22", "8, 60, GIT, 23", "16, 40, JGIT, 24"})
    void git_anyOrder_convergesAndTheRemoteIsSound(int replicas, int entries, Transport transport, long seed)
            throws Exception {
        Remote remote = Remote.create(folder.resolve("remote.git"));
        Convergence convergence = new Convergence(
                folder,
                dir -> GitSyncBackend.of(dir, remote.folder().toString())
                        .transport(transport)
                        .build(),
                replicas,
                seed);
        int rounds = convergence.run(entries);
        convergence.assertConverged();
        remote.assertSound();
        assertThat(rounds).isPositive();
    }
}
