package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Sync through a git repository: a bare repository of the store's own, {@code .xmem/git}, in which each replica is one ref,
 * {@code refs/xmem/v1/<replica>}, that only its owner pushes. No work tree, no index, never one of the user's branches.
 * Where a host takes no refs of that name they are {@code refs/heads/xmem/<replica>}, with {@code [skip ci]} in the message.
 *
 * <p>From the remote nothing is trusted: objects are read, never checked out; only regular files at the known paths, of
 * bounded sizes. Not thread-safe; the store's sync worker is its only caller.
 */
public final class GitSyncBackend implements SyncBackend {
    private static final String OWN_REFS = "refs/xmem/v1/";
    private static final String BRANCHES = "refs/heads/xmem/";
    private static final String SEEN = "refs/seen/";
    private static final String SKIP_CI = " [skip ci]";
    private static final int MAX_REPLICAS = 4096;

    private final Path folder;
    private final String remote;
    private final Builder setup;
    private @Nullable Repository repository;
    private @Nullable GitRemote wire;
    private @Nullable RefFetcher fetching;
    private boolean branches;
    private boolean fetched;
    private @Nullable RepositoryGc tidying;

    private GitSyncBackend(Builder setup) {
        this.setup = setup;
        this.folder = setup.folder;
        this.remote = setup.remote;
    }

    /**
     * A backend for a store.
     *
     * @param store the store's folder; the repository is made in its {@code .xmem/git}
     * @param remote a folder or URL of a bare repository
     * @throws IllegalArgumentException if the remote begins with a hyphen, or is a URL with a password in it
     */
    public static Builder of(Path store, String remote) {
        return new Builder(store.toAbsolutePath().normalize().resolve(".xmem").resolve("git"), remote);
    }

    /** Sets a backend up. Not thread-safe. */
    public static final class Builder {
        private final Path folder;
        private final String remote;
        private Transport transport = Transport.GIT;
        private @Nullable String user;
        private @Nullable String token;
        private long maxDownload = 1L << 30;

        private Builder(Path folder, String remote) {
            if (remote.isBlank() || remote.startsWith("-")) {
                throw new IllegalArgumentException("the remote is a folder or a URL, not \"" + remote + "\"");
            }
            if (remote.matches("[a-z+]+://[^/@]*:[^/@]*@.*")) {
                throw new IllegalArgumentException(
                        "the remote's URL holds a password; give it to credentials() instead");
            }
            this.folder = folder;
            this.remote = remote;
        }

        /** Who speaks to the remote. Default {@link Transport#GIT}. */
        public Builder transport(Transport t) {
            this.transport = t;
            return this;
        }

        /**
         * A token or password for http(s). It is kept in memory, and handed to git in its environment; it is written
         * nowhere. Default: what the machine's git knows.
         *
         * @param user the user; null for what hosts take together with a token
         */
        public Builder credentials(@Nullable String user, String token) {
            this.user = user;
            this.token = token;
            return this;
        }

        /** How many bytes one fetch may bring; git is ended when it brings more. Default 1 GiB. Not held by JGit. */
        public Builder maxDownload(long bytes) {
            this.maxDownload = bytes;
            return this;
        }

        /** The backend. The repository is made when it is first used. */
        public GitSyncBackend build() {
            return new GitSyncBackend(this);
        }
    }

    @Override
    public String id() {
        return "git";
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of(Ability.ERASE, Ability.RETIRE);
    }

    private Repository repository() throws IOException {
        Repository open = repository;
        if (open == null) {
            open = new FileRepositoryBuilder()
                    .setBare()
                    .setGitDir(folder.toFile())
                    .build();
            if (!Files.isDirectory(folder.resolve("objects"))) {
                open.create(true);
            }
            branches = open.getConfig().getBoolean("xmem", "branches", false);
            repository = open;
        }
        return open;
    }

    private GitRemote wire() throws IOException {
        GitRemote open = wire;
        if (open == null) {
            Repository local = repository();
            open = setup.transport == Transport.JGIT
                    ? new JGitRemote(local, remote, setup.user, setup.token)
                    : new NativeGitRemote(folder, remote, setup.maxDownload, setup.user, setup.token);
            wire = open;
        }
        return open;
    }

    private void fetch(Duration limit) throws IOException {
        RefFetcher all = fetching;
        if (all == null) {
            all = new RefFetcher(repository(), wire(), Map.of(OWN_REFS, SEEN + "v1/", BRANCHES, SEEN + "heads/"));
            fetching = all;
        }
        all.fetch(limit);
        fetched = true;
    }

    private @Nullable ObjectId seen(String replica) throws IOException {
        Ref ref = repository().exactRef(SEEN + (branches ? "heads/" : "v1/") + replica);
        return ref == null ? null : ref.getObjectId();
    }

    private void see(String replica, ObjectId commit) throws IOException {
        RefUpdate update = repository().updateRef(SEEN + (branches ? "heads/" : "v1/") + replica);
        update.setNewObjectId(commit);
        update.setForceUpdate(true);
        update.disableRefLog();
        update.update();
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!fetched) {
            fetch(limit);
        }
        ObjectId tip = seen(own.replica());
        ObjectId next;
        boolean anew = false;
        try (ObjectReader reader = repository().newObjectReader();
                ObjectInserter inserter = repository().newObjectInserter()) {
            ReplicaTree before = tip == null ? null : ReplicaTree.of(reader, tip);
            if (before != null && before.meta().retired()) {
                return Ack.retired();
            }
            for (Chunk chunk : own.chunks()) {
                Head head = before == null
                        ? Head.NONE
                        : before.meta().streams().getOrDefault(chunk.stream().name(), Head.NONE);
                if (!chunk.follows(head)) {
                    fetch(left(deadline));
                    return refusal(own.replica());
                }
                anew |= head.generation() > 0 && chunk.generation() > head.generation();
            }
            next = new CommitWriter(inserter).write(tip, before, own, branches ? SKIP_CI : "");
        }
        if (anew) {
            tidying().owe();
        }
        boolean done = push(own.replica(), tip, next, deadline);
        tidying().ifDue();
        return done ? Ack.accepted() : refusal(own.replica());
    }

    private Ack refusal(String replica) throws IOException {
        ObjectId tip = seen(replica);
        if (tip == null) {
            return Ack.refused();
        }
        try (ObjectReader reader = repository().newObjectReader()) {
            return ReplicaTree.of(reader, tip).meta().retired() ? Ack.retired() : Ack.refused();
        }
    }

    /** Pushes; true if the ref is there now. Where the host refuses the name, it is a branch from then on. */
    private boolean push(String replica, @Nullable ObjectId tip, ObjectId next, long deadline) throws IOException {
        GitRemote.Pushed pushed = wire().push((branches ? BRANCHES : OWN_REFS) + replica, tip, next, left(deadline));
        if (pushed == GitRemote.Pushed.DONE) {
            see(replica, next);
            tidying().committed();
            return true;
        }
        if (pushed == GitRemote.Pushed.REFUSED) {
            if (branches || tip != null) {
                throw new IOException("the host refuses the ref of this replica");
            }
            branches = true;
            repository().getConfig().setBoolean("xmem", null, "branches", true);
            repository().getConfig().save();
        }
        fetch(left(deadline));
        return false;
    }

    private static Duration left(long deadline) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the time for git is over");
        }
        return Duration.ofNanos(left);
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        fetch(limit);
        List<Chunk> chunks = new ArrayList<>();
        List<String> refused = new ArrayList<>(fetching == null ? List.of() : fetching.refused());
        long left = maxBytes;
        boolean more = false;
        try (ObjectReader reader = repository().newObjectReader()) {
            for (Map.Entry<String, ObjectId> replica : replicas(refused).entrySet()) {
                if (left <= 0) {
                    more = true;
                    break;
                }
                try {
                    more |= read(reader, replica.getKey(), replica.getValue(), known, left, chunks, refused);
                } catch (IOException | RuntimeException e) {
                    refused.add(replica.getKey().substring(0, 8) + " " + e.getMessage());
                }
                left = maxBytes
                        - chunks.stream()
                                .mapToLong(chunk -> chunk.bytes().length)
                                .sum();
            }
        }
        tidying().ifDue();
        String untidy = tidying().problem();
        if (untidy != null) {
            refused.add(untidy);
        }
        return Batch.of(chunks, refused, more);
    }

    private Map<String, ObjectId> replicas(List<String> refused) throws IOException {
        Map<String, ObjectId> replicas = new TreeMap<>();
        for (Ref ref : repository().getRefDatabase().getRefsByPrefix(SEEN)) {
            String replica = ref.getName().substring(ref.getName().lastIndexOf('/') + 1);
            if (!Stream.isReplica(replica) || ref.getObjectId() == null) {
                refused.add("a ref that is no replica's");
            } else if (replicas.size() >= MAX_REPLICAS) {
                refused.add("more than " + MAX_REPLICAS + " replicas");
                break;
            } else {
                replicas.put(replica, ref.getObjectId());
            }
        }
        return replicas;
    }

    private boolean read(
            ObjectReader reader,
            String replica,
            ObjectId commit,
            Map<Stream, Head> known,
            long most,
            List<Chunk> chunks,
            List<String> refused)
            throws IOException {
        ReplicaTree snapshot = ReplicaTree.of(reader, commit);
        if (!snapshot.meta().replica().equals(replica)) {
            throw new IOException("is forged: its tree is of another replica");
        }
        long left = most;
        boolean more = false;
        for (Map.Entry<String, Head> stream : snapshot.meta().streams().entrySet()) {
            Stream name = new Stream(replica, stream.getKey());
            Head from = known.getOrDefault(name, Head.NONE);
            if (left <= 0) {
                return true;
            }
            Chunk chunk = new StreamReader(snapshot, name, stream.getValue()).after(from, left);
            if (chunk != null && (chunk.bytes().length > 0 || chunk.generation() > from.generation())) {
                if (from.generation() > 0 && chunk.generation() > from.generation()) {
                    tidying().owe();
                }
                chunks.add(chunk);
                left -= chunk.bytes().length;
                more |= chunk.bytes().length > 0
                        && chunk.to() < stream.getValue().position();
            }
        }
        snapshot.strange().forEach(what -> refused.add(replica.substring(0, 8) + "/" + what));
        return more;
    }

    @Override
    public void retire(String replica, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        fetch(limit);
        ObjectId tip = seen(replica);
        if (tip == null) {
            throw new IOException("there is no replica " + replica);
        }
        ObjectId next;
        try (ObjectReader reader = repository().newObjectReader();
                ObjectInserter inserter = repository().newObjectInserter()) {
            ReplicaTree before = ReplicaTree.of(reader, tip);
            if (before.meta().retired()) {
                return;
            }
            next = new CommitWriter(inserter).retire(tip, before, branches ? SKIP_CI : "");
        }
        if (!push(replica, tip, next, deadline)) {
            throw new IOException("the replica " + replica + " has just published; it is alive");
        }
    }

    private RepositoryGc tidying() throws IOException {
        RepositoryGc open = tidying;
        if (open == null) {
            open = new RepositoryGc(repository());
            tidying = open;
        }
        return open;
    }

    @Override
    public void close() {
        RepositoryGc last = tidying;
        if (last != null) {
            last.last();
        }
        Repository open = repository;
        tidying = null;
        repository = null;
        wire = null;
        fetching = null;
        if (open != null) {
            open.close();
        }
    }
}
