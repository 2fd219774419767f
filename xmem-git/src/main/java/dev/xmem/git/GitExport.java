package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Exports a store into a git repository for people to read, as the files of the X-MEM protocol: {@code
 * data/failures.jsonl}, {@code successes.jsonl}, {@code memories.ndjson}, {@code notes.jsonl} and {@code index.json}.
 * An export is one commit with a message such as {@code X-MEM: Record failure 2026-02-14-003 (rclone sync)}, in a work
 * tree or on a branch of a remote.
 *
 * <p>The files are a view, computed from the store and from the lines that other stores exported. When a push loses a
 * race, the commit is discarded and computed again on top of the new commits. So there are no merges and no conflicts.
 * The order of the lines depends only on the lines: equal sets of lines give equal bytes on all machines. For merges by
 * hand there is a {@code data/.gitattributes} with the {@code union} driver; the next export restores the order.
 *
 * <p>Nothing is imported from the repository into the store; use a {@link GitSyncBackend} for that. Lines that are
 * purged or compacted disappear from the files, and stay in the history of the branch. Not thread-safe.
 */
public final class GitExport {
    static final List<String> LOGS = List.of("failures.jsonl", "successes.jsonl", "memories.ndjson", "notes.jsonl");
    static final String INDEX = "index.json";
    static final String ATTRIBUTES = ".gitattributes";
    static final String FOLDER = "data";
    static final int TRIES = 20;
    static final long MAX_FILE_BYTES = 1L << 30;
    private static final List<String> RULES =
            List.of("*.jsonl merge=union -text", "*.ndjson merge=union -text", "index.json merge=union -text");

    private final Target target;

    /** The target of an export. */
    interface Target {
        Exported export(Duration limit) throws IOException;
    }

    private GitExport(Target target) {
        this.target = target;
    }

    /**
     * Exports into a work tree with the installed {@code git}: its user, signing, hooks and credentials. Only the files
     * named above are written, added and committed; all other changes are left alone.
     *
     * @param store the store's folder, which must not be the work tree
     * @param workTree a folder in a clone; the files are in its {@code data/}
     * @param autoPush whether to fetch before and push after the commit, from and to the branch's remote, or {@code
     *     origin}
     * @throws IllegalArgumentException if the store's logs would be overwritten
     */
    public static GitExport toWorkTree(Path store, Path workTree, boolean autoPush) {
        Path from = store.toAbsolutePath().normalize();
        Path to = workTree.toAbsolutePath().normalize();
        if (from.equals(to)) {
            throw new IllegalArgumentException(
                    "the store's own logs are in " + to.resolve(FOLDER) + "; keep the store in another folder, such as "
                            + to.resolve(".xmem-store") + ", and export from it");
        }
        return new GitExport(new WorkTree(to, autoPush, new ExportState(from, to.toString())));
    }

    /**
     * Exports to a branch of a remote repository, without a clone. Other files on the branch are left alone, and a push
     * is never forced.
     *
     * @param store the store's folder
     * @param remote a folder or URL, as for {@link GitSyncBackend#of}
     * @param branch the branch; it is created if it does not exist
     * @throws IllegalArgumentException if the branch name is invalid, or the remote is, as for {@link
     *     GitSyncBackend#of}
     */
    public static GitExport toBranch(Path store, String remote, String branch, Transport transport) {
        return toBranch(store, remote, branch, transport, null, null);
    }

    /** The same with credentials for http(s), as for {@link GitSyncBackend.Builder#credentials}. */
    public static GitExport toBranch(
            Path store,
            String remote,
            String branch,
            Transport transport,
            @Nullable String user,
            @Nullable String token) {
        if (!org.eclipse.jgit.lib.Repository.isValidRefName("refs/heads/" + branch) || branch.startsWith("-")) {
            throw new IllegalArgumentException("invalid branch name \"" + branch + "\"");
        }
        GitSyncBackend.Builder connection = GitSyncBackend.of(store, remote).transport(transport);
        if (token != null) {
            connection.credentials(user, token);
        }
        Path from = store.toAbsolutePath().normalize();
        ExportState state = new ExportState(from, remote + " " + branch);
        return new GitExport(new RemoteBranch(from, connection, branch, state));
    }

    /**
     * Computes the files, commits and pushes them.
     *
     * @throws IOException if nothing could be committed; the repository is unchanged
     */
    public Exported export(Duration limit) throws IOException {
        return target.export(limit);
    }

    /**
     * This export as a backend for {@code XMem.Builder.sync}: the store's worker exports one second after an entry was
     * recorded, merged or erased, or at once when 64 entries are pending. {@code XMemStore.sync} exports at once.
     * Errors are in the sync report, and the export is retried. Nothing is imported. From then on only the worker may
     * call this object.
     *
     * @see #beside
     */
    public SyncBackend automatic() {
        return new ExportingBackend(this, null);
    }

    /**
     * The same for a store that also syncs: exports what the store publishes, and after the next round what it imports.
     * The rounds do not depend on the export: its errors are in {@code SyncReport.refused}, and it is retried.
     *
     * @param sync the backend for the streams; it is closed together with the returned one
     */
    public SyncBackend beside(SyncBackend sync) {
        return new ExportingBackend(this, Objects.requireNonNull(sync, "sync"));
    }

    /** The time that is left before a deadline. */
    static Duration timeLeft(long deadline) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the time limit of the export is over");
        }
        return Duration.ofNanos(left);
    }

    /** The content of {@code .gitattributes}: the current rules, then the missing ones of the export. */
    static byte[] attributes(byte @Nullable [] current) {
        String text = current == null ? "" : new String(current, StandardCharsets.UTF_8);
        StringBuilder all = new StringBuilder(text);
        List<String> known = text.lines().map(String::strip).toList();
        if (!text.isEmpty() && !text.endsWith("\n")) {
            all.append('\n');
        }
        for (String rule : RULES) {
            if (!known.contains(rule)) {
                all.append(rule).append('\n');
            }
        }
        return all.toString().getBytes(StandardCharsets.UTF_8);
    }
}
