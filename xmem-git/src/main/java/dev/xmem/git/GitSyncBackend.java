package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * Synchronises through a git repository. The store has a bare repository of its own, {@code .xmem/git}, without a work
 * tree and an index. Each replica is one ref, {@code refs/xmem/v1/<replica>}, that only its owner pushes; the user's
 * branches are never changed. If a host rejects such refs, they are {@code refs/heads/xmem/<replica>}, with {@code
 * [skip ci]} in the commit messages.
 *
 * <p>The content of the remote is untrusted: objects are read and never checked out, and only regular files of bounded
 * size at the known paths are used. Not thread-safe; the store's sync worker is its only caller.
 */
public final class GitSyncBackend implements SyncBackend {
    private static final String OWN_REFS = "refs/xmem/v1/";
    private static final String BRANCHES = "refs/heads/xmem/";
    private static final String FETCHED_REFS = "refs/seen/";
    private static final String SKIP_CI = " [skip ci]";
    private static final int MAX_REPLICAS = 4096;
    private static final int MAX_TRIES = 5;
    private static final long FIRST_PAUSE_MILLIS = 100;

    private final Builder config;
    private @Nullable Opened opened;
    private boolean branches;
    private boolean fetched;

    private GitSyncBackend(Builder config) {
        this.config = config;
    }

    /**
     * A builder of a backend for a store.
     *
     * @param store the store's folder; the repository is created in its {@code .xmem/git}
     * @param remote the folder or URL of a bare repository
     * @throws IllegalArgumentException if the remote is blank, begins with a hyphen, or is a URL that contains a
     *     password
     */
    public static Builder of(Path store, String remote) {
        return new Builder(store.toAbsolutePath().normalize().resolve(".xmem").resolve("git"), remote);
    }

    /** Builds a backend. Not thread-safe. */
    public static final class Builder {
        private final Path folder;
        private final String remote;
        private Transport transport = Transport.GIT;
        private @Nullable String user;
        private @Nullable String token;
        private long maxDownload = 1L << 30;

        private Builder(Path folder, String remote) {
            if (remote.isBlank() || remote.startsWith("-")) {
                throw new IllegalArgumentException("the remote must be a folder or a URL, not \"" + remote + "\"");
            }
            if (remote.matches("[a-z+]+://[^/@]*:[^/@]*@.*")) {
                throw new IllegalArgumentException(
                        "the remote's URL contains a password; give it to credentials() instead");
            }
            this.folder = folder;
            this.remote = remote;
        }

        /** The git implementation that connects to the remote. Default: {@link Transport#GIT}. */
        public Builder transport(Transport t) {
            this.transport = t;
            return this;
        }

        /**
         * Credentials for http(s). The token is kept in memory and passed to git in its environment; it is not written
         * to any file. Default: the credentials of the installed git.
         *
         * @param user the user name; null for {@code x-access-token}, which hosts accept together with a token
         * @param token a token or password
         */
        public Builder credentials(@Nullable String user, String token) {
            this.user = user;
            this.token = token;
            return this;
        }

        /**
         * The maximum size of a fetch in bytes; git is killed if it downloads more. Default: 1 GiB. Ignored by JGit.
         */
        public Builder maxDownload(long bytes) {
            this.maxDownload = bytes;
            return this;
        }

        /** The connection of a repository to the remote. */
        GitRemote connect(Repository repository) throws IOException {
            return transport == Transport.JGIT
                    ? new JGitRemote(repository, remote, user, token)
                    : new NativeGitRemote(repository.getDirectory().toPath(), remote, maxDownload, user, token);
        }

        /** Creates the backend. The repository is created on first use. */
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

    /** What is kept open from the first use on. */
    private record Opened(Repository repository, GitRemote remote, RefFetcher fetcher, RepositoryGc gc) {}

    private Opened opened() throws IOException {
        Opened known = opened;
        if (known == null) {
            Repository repository = openRepository(config.folder);
            try {
                GitRemote remote = config.connect(repository);
                Map<String, String> prefixes =
                        Map.of(OWN_REFS, FETCHED_REFS + "v1/", BRANCHES, FETCHED_REFS + "heads/");
                RefFetcher fetcher = new RefFetcher(repository, remote, prefixes);
                branches = repository.getConfig().getBoolean("xmem", "branches", false);
                known = new Opened(repository, remote, fetcher, new RepositoryGc(repository));
            } finally {
                if (known == null) {
                    repository.close();
                }
            }
            opened = known;
        }
        return known;
    }

    /** Opens a bare repository, which is created if there is none. */
    static Repository openRepository(Path folder) throws IOException {
        Repository repository =
                new FileRepositoryBuilder().setBare().setGitDir(folder.toFile()).build();
        if (!Files.isDirectory(folder.resolve("objects"))) {
            repository.create(true);
        }
        return repository;
    }

    private Repository repository() throws IOException {
        return opened().repository;
    }

    private void fetch(Duration limit) throws IOException {
        opened().fetcher.fetch(limit);
        fetched = true;
    }

    private String fetchedName(String replica) {
        return FETCHED_REFS + (branches ? "heads/" : "v1/") + replica;
    }

    /** The commit of a replica; throws the exception of the last fetch if that could not get it. */
    private @Nullable ObjectId fetchedTip(String replica) throws IOException {
        IOException failure = opened().fetcher.failure(fetchedName(replica));
        if (failure != null) {
            fetched = false;
            throw failure;
        }
        Ref ref = repository().exactRef(fetchedName(replica));
        return ref == null ? null : ref.getObjectId();
    }

    /** Sets the local ref to a pushed commit. Where that fails, the next publication fetches the ref first. */
    private void setFetchedTip(String replica, ObjectId commit) {
        try {
            RefUpdate update = repository().updateRef(fetchedName(replica));
            update.setNewObjectId(commit);
            update.setForceUpdate(true);
            update.disableRefLog();
            RefFetcher.check(fetchedName(replica), update.update());
        } catch (IOException e) {
            fetched = false;
        }
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        if (!fetched) {
            fetch(limit);
        }
        ObjectId tip = fetchedTip(own.replica());
        ObjectId next;
        boolean rewritten = false;
        try (ObjectReader reader = repository().newObjectReader();
                ObjectInserter inserter = repository().newObjectInserter()) {
            ReplicaTree before = ReplicaTree.ofOwn(reader, tip);
            if (before != null && before.meta().retired()) {
                return Ack.retired();
            }
            for (Chunk chunk : own.chunks()) {
                Head head = before == null
                        ? Head.NONE
                        : before.meta().streams().getOrDefault(chunk.stream().name(), Head.NONE);
                if (!chunk.follows(head)) {
                    fetch(timeLeft(deadline));
                    return refusal(own.replica());
                }
                rewritten |= head.generation() > 0 && chunk.generation() > head.generation();
            }
            ObjectId parent = before == null ? null : tip;
            next = new CommitWriter(inserter).write(parent, before, own, branches ? SKIP_CI : "");
        }
        if (rewritten) {
            opened().gc.request();
        }
        boolean done = push(own.replica(), tip, next, deadline);
        opened().gc.runIfDue();
        return done ? Ack.accepted() : refusal(own.replica());
    }

    private Ack refusal(String replica) throws IOException {
        try (ObjectReader reader = repository().newObjectReader()) {
            ReplicaTree tree = ReplicaTree.ofOwn(reader, fetchedTip(replica));
            return tree != null && tree.meta().retired() ? Ack.retired() : Ack.refused();
        }
    }

    /**
     * Pushes; true if the ref is there now. A push that fails although the ref is at the expected commit is repeated:
     * for example, a garbage collection of the host holds the ref's lock. Where the host refuses the name, it is a
     * branch from then on.
     */
    private boolean push(String replica, @Nullable ObjectId tip, ObjectId next, long deadline) throws IOException {
        boolean asBranch = branches;
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            if (tryPush(replica, tip, next, deadline)) {
                return true;
            }
            if (branches != asBranch || !Objects.equals(tip, fetchedTip(replica))) {
                return false;
            }
            pause(Math.min(FIRST_PAUSE_MILLIS << tries, timeLeft(deadline).toMillis()));
        }
        throw new IOException("the remote keeps the ref of this replica locked; if no git process is running there,"
                + " delete the ref's .lock file in the remote");
    }

    private static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the remote's ref was locked");
        }
    }

    private boolean tryPush(String replica, @Nullable ObjectId tip, ObjectId next, long deadline) throws IOException {
        GitRemote.Pushed pushed =
                opened().remote.push((branches ? BRANCHES : OWN_REFS) + replica, tip, next, timeLeft(deadline));
        if (pushed == GitRemote.Pushed.DONE) {
            setFetchedTip(replica, next);
            opened().gc.countCommit();
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
        fetch(timeLeft(deadline));
        return false;
    }

    private static Duration timeLeft(long deadline) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("the time limit for git is over");
        }
        return Duration.ofNanos(left);
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        fetch(limit);
        List<Chunk> chunks = new ArrayList<>();
        List<String> refused = new ArrayList<>(opened().fetcher.refused());
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
        opened().gc.runIfDue();
        String gcProblem = opened().gc.problem();
        if (gcProblem != null) {
            refused.add(gcProblem);
        }
        return Batch.of(chunks, refused, more);
    }

    private Map<String, ObjectId> replicas(List<String> refused) throws IOException {
        Map<String, ObjectId> replicas = new TreeMap<>();
        for (Ref ref : repository().getRefDatabase().getRefsByPrefix(FETCHED_REFS)) {
            String replica = ref.getName().substring(ref.getName().lastIndexOf('/') + 1);
            if (!Stream.isReplica(replica) || ref.getObjectId() == null) {
                refused.add("a ref that is not named after a replica");
            } else if (replicas.size() >= MAX_REPLICAS) {
                refused.add("there are more than " + MAX_REPLICAS + " replicas");
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
        ReplicaTree tree = ReplicaTree.of(reader, commit);
        if (!tree.meta().replica().equals(replica)) {
            throw new IOException("is forged: its tree belongs to another replica");
        }
        long left = most;
        boolean more = false;
        for (Map.Entry<String, Head> stream : tree.meta().streams().entrySet()) {
            Stream name = new Stream(replica, stream.getKey());
            Head from = known.getOrDefault(name, Head.NONE);
            if (left <= 0) {
                return true;
            }
            Chunk chunk = new StreamReader(tree, name, stream.getValue()).after(from, left);
            if (chunk != null && (chunk.bytes().length > 0 || chunk.generation() > from.generation())) {
                if (from.generation() > 0 && chunk.generation() > from.generation()) {
                    opened().gc.request();
                }
                chunks.add(chunk);
                left -= chunk.bytes().length;
                more |= chunk.bytes().length > 0
                        && chunk.to() < stream.getValue().position();
            }
        }
        tree.unexpected().forEach(sentence -> refused.add(replica.substring(0, 8) + "/" + sentence));
        return more;
    }

    @Override
    public void retire(String replica, Duration limit) throws IOException {
        long deadline = System.nanoTime() + limit.toNanos();
        fetch(limit);
        ObjectId tip = fetchedTip(replica);
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
            throw new IOException("the replica " + replica + " has just published; it is in use");
        }
    }

    @Override
    public void close() {
        Opened last = opened;
        opened = null;
        if (last != null) {
            if (fetched) {
                last.gc.runIfShort();
            }
            last.repository.close();
        }
    }
}
