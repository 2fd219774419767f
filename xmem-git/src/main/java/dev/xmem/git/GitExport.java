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
 * Exports a store into a git repository that people look at: the seed's files, {@code data/failures.jsonl}, {@code
 * successes.jsonl}, {@code memories.ndjson}, {@code notes.jsonl} and {@code index.json}, in one commit with the seed's
 * message, {@code X-MEM: Record failure 2026-02-14-003 (rclone sync)}. Into a work tree, or onto a branch that nobody has
 * checked out.
 *
 * <p>It is a view, made anew from the store and from what others exported there: when a push loses a race, the commit is
 * dropped, and made again on what came in between. So nothing is merged and nothing conflicts; the order of the lines is
 * decided by the lines, so that machines that have the same lines have the same bytes. People who merge by hand get {@code
 * data/.gitattributes} with the driver {@code union}; what that leaves is put in order by the next export.
 *
 * <p>Nothing is read back from it into the store: that is what a {@link GitSyncBackend} is for. What was purged or compacted
 * goes from the files; the history of a branch stays as it is. Not thread-safe.
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

    private final Place place;

    /** Where files are exported to. */
    interface Place {
        Exported export(Duration limit) throws IOException;
    }

    private GitExport(Place place) {
        this.place = place;
    }

    /**
     * Exports into a work tree, by the machine's {@code git}: with its user, signing, hooks and credentials. Only the files
     * named above are touched, added and committed; other changes stay as they are.
     *
     * @param store the store's folder, which is not the work tree itself
     * @param workTree a folder in a clone; the files are in its {@code data/}
     * @param autoPush whether to fetch before and to push after; to the branch's own remote, or {@code origin}
     * @throws IllegalArgumentException if the store's logs are the very files
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
     * Exports onto a branch of a remote repository, which needs no clone: other files there stay as they are. It pushes, and
     * never forces.
     *
     * @param store the store's folder
     * @param remote a folder or URL, as for {@link GitSyncBackend#of}
     * @param branch the branch; it is made where there is none
     * @throws IllegalArgumentException if a branch cannot be called so, or the remote is refused as there
     */
    public static GitExport toBranch(Path store, String remote, String branch, Transport transport) {
        return toBranch(store, remote, branch, transport, null, null);
    }

    /** The same with a user and token for http(s), as {@link GitSyncBackend.Builder#credentials} takes them. */
    public static GitExport toBranch(
            Path store,
            String remote,
            String branch,
            Transport transport,
            @Nullable String user,
            @Nullable String token) {
        if (!org.eclipse.jgit.lib.Repository.isValidRefName("refs/heads/" + branch) || branch.startsWith("-")) {
            throw new IllegalArgumentException("no branch is called \"" + branch + "\"");
        }
        GitSyncBackend.of(store, remote);
        Path from = store.toAbsolutePath().normalize();
        ExportState contribution = new ExportState(from, remote + " " + branch);
        return new GitExport(new RemoteBranch(from, remote, branch, transport, user, token, contribution));
    }

    /**
     * Makes the files, commits and pushes them.
     *
     * @throws IOException if nothing could be committed; what is in the repository is as it was
     */
    public Exported export(Duration limit) throws IOException {
        return place.export(limit);
    }

    /**
     * This export for {@code XMem.Builder.sync}: the store's worker makes it by itself, a second after something was
     * recorded, merged or erased, or at once when 64 entries wait. {@code XMemStore.sync} makes it at once; what goes wrong
     * is in its report, and is tried again. Nothing comes from other machines. The worker is its only caller from then on.
     *
     * @see #beside
     */
    public SyncBackend automatic() {
        return new ExportingBackend(this, null);
    }

    /**
     * The same for a store that syncs as well: exports what it publishes, and with the next round what came from others.
     * The rounds do not depend on it: what goes wrong is told of among {@code SyncReport.refused}, and is tried again.
     *
     * @param sync carries the streams; it is closed with this one
     */
    public SyncBackend beside(SyncBackend sync) {
        return new ExportingBackend(this, Objects.requireNonNull(sync, "sync"));
    }

    /** The rules for merges by hand, behind those that are there. */
    static byte[] attributes(byte @Nullable [] there) {
        String text = there == null ? "" : new String(there, StandardCharsets.UTF_8);
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
