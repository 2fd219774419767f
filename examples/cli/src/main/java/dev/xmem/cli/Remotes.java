package dev.xmem.cli;

import dev.xmem.core.DirectoryBackend;
import dev.xmem.git.GitSyncBackend;
import dev.xmem.git.Transport;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a store syncs with: a git repository, by URL or folder, or any other folder, which is then shared as it is. It is
 * remembered in the store's {@code .xmem/sync-remote}.
 */
final class Remotes {
    private final Path store;
    private final Surroundings around;
    private final Remembered remembered;

    Remotes(Path store, Surroundings around) {
        this.remembered = Remembered.of(store, "sync-remote");
        this.store = store;
        this.around = around;
    }

    /** The remote that was given, else the one of the last time. */
    String remote(@Nullable String given) {
        if (given != null) {
            return isUrl(given)
                    ? given
                    : around.folder().resolve(given).normalize().toString();
        }
        try {
            return remembered.read();
        } catch (IOException e) {
            throw new UsageException("sync with what? Give --remote URL-OR-PATH once; it is remembered");
        }
    }

    /** Remembers a remote that was reached. */
    void remember(String remote) {
        remembered.write(remote);
    }

    SyncBackend backend(String remote, Transport transport) {
        Path folder = isUrl(remote) ? null : Path.of(remote);
        if (folder != null && !isRepository(folder)) {
            requireMeant(folder);
            return DirectoryBackend.at(folder);
        }
        quiet();
        try {
            GitSyncBackend.Builder git = GitSyncBackend.of(store, remote).transport(transport);
            String token = around.variables().getOrDefault("XMEM_GIT_TOKEN", "");
            return token.isEmpty() ? git.build() : git.credentials(null, token).build();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** Whether something is at a remote that is a folder; of a URL it is not known. */
    static boolean mayBeThere(String remote) {
        return isUrl(remote) || Files.isDirectory(Path.of(remote));
    }

    /** A folder that is not there is made where it is to be shared, unless it looks like a slip. */
    private static void requireMeant(Path folder) {
        Path parent = folder.toAbsolutePath().getParent();
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException(folder + " is a file; sync needs a git repository or a folder");
        }
        if (!Files.exists(folder) && folder.toString().endsWith(".git")) {
            throw new UsageException(
                    "there is no git repository in " + folder + "; make one: git init --bare " + folder);
        }
        if (!Files.exists(folder) && (parent == null || !Files.isDirectory(parent))) {
            throw new UsageException("there is no folder " + parent + ", in which " + folder.getFileName()
                    + " could be made to be shared");
        }
    }

    /** JGit's log would otherwise complain that nobody reads it. */
    static void quiet() {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
    }

    private static boolean isUrl(String remote) {
        return remote.contains("://") || remote.matches("[^/\\\\]{2,}:.*");
    }

    private static boolean isRepository(Path folder) {
        boolean bare = Files.isDirectory(folder.resolve("objects")) && Files.exists(folder.resolve("HEAD"));
        return bare || Files.exists(folder.resolve(".git"));
    }
}
