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
 * Removes from the store's own repository what can be reached no more: after a rewriting, since it may be a secret, else now
 * and then. It reads and writes the whole repository, so it has a twentieth of the time at most; what is owed meanwhile is
 * marked by a file, and done by a later round, of another process if need be. The first one is done at once.
 *
 * <p>Only the holder of the store's sync lock comes here, and all that is wanted has a ref: what has none goes, however new
 * it is.
 */
final class RepositoryGc {
    private static final int COMMITS_BETWEEN = 500;
    private static final int REST_OF_THE_TIME = 19;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final Repository repository;
    private final Path owed;
    private final LongSupplier nanos;
    private int commits;
    private long lastTook;
    private long notBefore;
    private @Nullable String problem;

    RepositoryGc(Repository repository) {
        this(repository, System::nanoTime);
    }

    /** The same with another clock. */
    RepositoryGc(Repository repository, LongSupplier nanos) {
        this.repository = repository;
        this.owed = repository.getDirectory().toPath().resolve("xmem-untidy");
        this.nanos = nanos;
        this.notBefore = nanos.getAsLong();
    }

    /** What was reachable until now may be so no more. Say it before it is so: a process may end in between. */
    void owe() throws IOException {
        if (!Files.exists(owed)) {
            Files.write(owed, new byte[0]);
        }
    }

    /** A commit more. */
    void committed() {
        commits++;
    }

    /** What went wrong the last time; null if nothing did. */
    @Nullable String problem() {
        return problem;
    }

    /** Tidies if there is something to do and it is time. */
    void ifDue() {
        if ((commits >= COMMITS_BETWEEN || Files.exists(owed)) && nanos.getAsLong() - notBefore >= 0) {
            tidy();
        }
    }

    /** Tidies once more if there is something to do that takes no time to speak of. */
    void last() {
        if (Files.exists(owed) && problem == null && lastTook < SHORT_NANOS) {
            tidy();
        }
    }

    private void tidy() {
        long begin = nanos.getAsLong();
        try {
            // Else JGit would keep what stands in packs of the last hour, and make a file of each object that is to go.
            repository.getConfig().setString("gc", null, "prunePackExpire", "now");
            repository.getConfig().setString("gc", null, "pruneExpire", "now");
            Git.wrap(repository).gc().setExpire(Instant.now().plusSeconds(60)).call();
            Files.deleteIfExists(owed);
            commits = 0;
            problem = null;
        } catch (GitAPIException | IOException | RuntimeException e) {
            problem = "the store's own repository could not be tidied: " + e.getMessage();
        }
        long end = nanos.getAsLong();
        lastTook = end - begin;
        notBefore = end + REST_OF_THE_TIME * lastTook;
    }
}
