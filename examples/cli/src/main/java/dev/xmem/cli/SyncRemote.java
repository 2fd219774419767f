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
 * The remote of a store: a git repository, by URL or path, or any other directory, which is then shared as it is. Saved
 * in the store's {@code .xmem/sync-remote}.
 */
final class SyncRemote {
    private final Path store;
    private final Environment environment;
    private final SavedSetting setting;

    SyncRemote(Path store, Environment environment) {
        this.setting = SavedSetting.of(store, "sync-remote");
        this.store = store;
        this.environment = environment;
    }

    /** The given remote, or the saved one. */
    String remote(@Nullable String given) {
        if (given != null) {
            if (given.matches("[a-z+]+://[^/@]*:[^/@]*@.*")) {
                throw new UsageException(
                        "the remote's URL contains a password; leave it out, and set XMEM_GIT_TOKEN to the token");
            }
            return isUrl(given)
                    ? given
                    : environment.folder().resolve(given).normalize().toString();
        }
        try {
            return setting.read();
        } catch (IOException e) {
            throw new UsageException("no remote: give --remote URL-OR-PATH once; it is saved");
        }
    }

    /** Saves a remote that was reached. */
    void save(String remote) {
        setting.write(remote);
    }

    SyncBackend backend(String remote, Transport transport) {
        Path folder = isUrl(remote) ? null : Path.of(remote);
        if (folder != null && !isRepository(folder)) {
            requirePlausible(folder);
            return DirectoryBackend.at(folder);
        }
        silenceJGit();
        try {
            GitSyncBackend.Builder git = GitSyncBackend.of(store, remote).transport(transport);
            String token = environment.variables().getOrDefault("XMEM_GIT_TOKEN", "");
            return token.isEmpty() ? git.build() : git.credentials(null, token).build();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /** Whether the remote may exist: a directory is checked, a URL is not. */
    static boolean mayExist(String remote) {
        return isUrl(remote) || Files.isDirectory(Path.of(remote));
    }

    /**
     * Refuses a directory that looks like a typing error. A missing shared directory is created only if its parent
     * exists.
     */
    private static void requirePlausible(Path folder) {
        Path parent = folder.toAbsolutePath().getParent();
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException(folder + " is a file; sync needs a git repository or a directory");
        }
        if (!Files.exists(folder) && folder.toString().endsWith(".git")) {
            throw new UsageException("no git repository at " + folder + "; create one with: git init --bare " + folder);
        }
        if (!Files.exists(folder) && (parent == null || !Files.isDirectory(parent))) {
            throw new UsageException(
                    "cannot create the shared directory " + folder.getFileName() + ": there is no directory " + parent);
        }
    }

    /** Silences the SLF4J warning that no logger is bound, which JGit triggers. */
    static void silenceJGit() {
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
