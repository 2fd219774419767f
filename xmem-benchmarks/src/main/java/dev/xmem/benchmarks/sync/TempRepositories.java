package dev.xmem.benchmarks.sync;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/** Creates, measures and deletes the temporary repositories of one run. */
final class TempRepositories {
    private TempRepositories() {}

    static Path remote(Path folder) throws IOException {
        Path remote = folder.resolve("remote.git");
        try (Repository repository =
                new FileRepositoryBuilder().setBare().setGitDir(remote.toFile()).build()) {
            repository.create(true);
        }
        return remote;
    }

    static long bytes(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** Deletes a folder recursively. Retries while an interrupted push still writes into it. */
    static void delete(Path folder) throws IOException {
        for (int tries = 50; ; tries--) {
            try {
                deleteOnce(folder);
                return;
            } catch (IOException | UncheckedIOException e) {
                if (tries == 0) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    private static void deleteOnce(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
