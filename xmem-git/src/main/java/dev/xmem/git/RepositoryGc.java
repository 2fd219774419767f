package dev.xmem.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/**
 * Garbage collection of the store's own repository. It runs after a rewrite, since the unreachable objects may contain
 * a secret, and every 500 commits. A collection reads and writes the whole repository, so it is limited to a twentieth
 * of the time; a request that is not due yet is kept in a file, for a later round or another process. The first one
 * runs at once.
 *
 * <p>Only the holder of the store's sync lock calls this class, and all live objects have a ref. So unreachable objects
 * are removed whatever their age.
 */
final class RepositoryGc {
    private static final int COMMITS_BETWEEN = 500;
    private static final int IDLE_FACTOR = 19;
    private static final long MAX_SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Repository repository;
    private final Path requestFile;
    private final LongSupplier nanos;
    private int commits;
    private long lastNanos;
    private long notBefore;
    private @Nullable String problem;

    RepositoryGc(Repository repository) {
        this(repository, System::nanoTime);
    }

    /** The same with a given clock. */
    RepositoryGc(Repository repository, LongSupplier nanos) {
        this.repository = repository;
        this.requestFile = repository.getDirectory().toPath().resolve("xmem-untidy");
        this.nanos = nanos;
        this.notBefore = nanos.getAsLong();
    }

    /** Requests a collection. Call it before objects become unreachable, since the process may end in between. */
    void request() throws IOException {
        if (!Files.exists(requestFile)) {
            Files.write(requestFile, new byte[0]);
        }
    }

    /** Counts a commit. */
    void countCommit() {
        commits++;
    }

    /** The error of the last collection; null if it succeeded. */
    @Nullable String problem() {
        return problem;
    }

    /** Runs a collection if one is needed and the time limit permits it. */
    void runIfDue() {
        if ((commits >= COMMITS_BETWEEN || Files.exists(requestFile)) && nanos.getAsLong() - notBefore >= 0) {
            run();
        }
    }

    /** Runs a requested collection if the last one took less than 300 ms; called when the store is closed. */
    void runIfShort() {
        if (Files.exists(requestFile) && problem == null && lastNanos < MAX_SHORT_NANOS) {
            run();
        }
    }

    private void run() {
        long begin = nanos.getAsLong();
        try {
            // By default JGit keeps packs of the last hour, and writes each unreachable object to a file.
            repository.getConfig().setString("gc", null, "prunePackExpire", "now");
            repository.getConfig().setString("gc", null, "pruneExpire", "now");
            Git.wrap(repository).gc().setExpire(Instant.now().plusSeconds(60)).call();
            Files.deleteIfExists(requestFile);
            commits = 0;
            problem = null;
        } catch (GitAPIException | IOException | RuntimeException e) {
            problem = "the garbage collection of the store's repository failed: " + e.getMessage();
        }
        long end = nanos.getAsLong();
        lastNanos = end - begin;
        notBefore = end + IDLE_FACTOR * lastNanos;
    }
}
