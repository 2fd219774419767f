package dev.xmem.git;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cost of one more entry in a repository of a hundred megabytes: the time of its commit, and the growth. */
@Tag("soak")
class CommitCostSoak {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Stream STREAM = new Stream("a".repeat(32), "failures");
    private static final long HISTORY_BYTES = 100L << 20;
    private static final int PART_BYTES = 8 << 20;
    private static final int COMMITS = 200;

    @TempDir
    Path folder;

    private final Random random = new Random(1);
    private int lines;

    /** A line of about 650 bytes that does not compress to nothing. */
    private String line() {
        StringBuilder words = new StringBuilder();
        while (words.length() < 500) {
            words.append(Long.toString(random.nextLong() >>> 24, 36)).append(' ');
        }
        return "{\"id\":\"2026-01-01-" + ++lines + "\",\"ts\":\"2026-01-01T00:00:00Z\",\"type\":\"tool_failure\","
                + "\"tool\":\"npm\",\"action\":\"install x\",\"error\":\"" + words
                + "\",\"ctx_hash\":\"npm-install-x\"}\n";
    }

    private static Publication publication(long from, String text) {
        Chunk chunk = Chunk.of(STREAM, 1, from, text.getBytes(StandardCharsets.UTF_8));
        return Publication.of(STREAM.replica(), List.of(chunk), "X-MEM: Record 1 entry");
    }

    private long history(GitSyncBackend backend) throws IOException {
        long at = 0;
        while (at < HISTORY_BYTES) {
            StringBuilder part = new StringBuilder();
            while (part.length() < PART_BYTES) {
                part.append(line());
            }
            assertThat(backend.publish(publication(at, part.toString()), LIMIT).isAccepted())
                    .isTrue();
            at += part.length();
        }
        return at;
    }

    private static long bytes(Path repository) throws IOException {
        try (java.util.stream.Stream<Path> files = Files.walk(repository.resolve("objects"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void commit_oneEntryBehind100Megabytes_costsAsBefore() throws Exception {
        Remote remote = Remote.create(folder.resolve("remote.git"));
        Path store = folder.resolve("store");
        try (GitSyncBackend backend = GitSyncBackend.of(store, remote.folder().toString())
                .transport(Transport.JGIT)
                .build()) {
            long at = history(backend);
            long[] whole = new long[COMMITS];
            for (int i = 0; i < COMMITS; i++) {
                String line = line();
                long begin = System.nanoTime();
                assertThat(backend.publish(publication(at, line), LIMIT).isAccepted())
                        .isTrue();
                whole[i] = System.nanoTime() - begin;
                at += line.length();
            }
            Path repository = store.resolve(".xmem").resolve("git");
            long before = bytes(repository);
            long[] commits = commits(repository, at);
            long growth = (bytes(repository) - before) / COMMITS;
            Arrays.sort(whole);
            Arrays.sort(commits);
            System.out.printf(
                    "sync: one entry behind %d MB: commit p50 %.1f ms, p99 %.1f ms; with the push to a folder p50 %.1f ms;"
                            + " the repository grows by %.1f KiB%n",
                    at >> 20,
                    commits[COMMITS / 2] / 1e6,
                    commits[COMMITS * 99 / 100] / 1e6,
                    whole[COMMITS / 2] / 1e6,
                    growth / 1024.0);
            assertThat(growth).isLessThanOrEqualTo(32 << 10);
        }
    }

    /** Commits without a store, one after the other. */
    private long[] commits(Path folder, long from) throws IOException {
        long[] nanos = new long[COMMITS];
        long at = from;
        try (Repository repository =
                new FileRepositoryBuilder().setBare().setGitDir(folder.toFile()).build()) {
            ObjectId tip = repository.resolve("refs/seen/v1/" + STREAM.replica());
            for (int i = 0; i < COMMITS; i++) {
                String line = line();
                long begin = System.nanoTime();
                try (ObjectReader reader = repository.newObjectReader();
                        ObjectInserter inserter = repository.newObjectInserter()) {
                    ReplicaTree before = ReplicaTree.of(reader, tip);
                    tip = new CommitWriter(inserter).write(tip, before, publication(at, line), "");
                }
                nanos[i] = System.nanoTime() - begin;
                at += line.length();
            }
        }
        return nanos;
    }
}
