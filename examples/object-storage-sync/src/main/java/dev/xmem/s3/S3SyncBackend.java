package dev.xmem.s3;

import dev.xmem.s3.HeadStore.Known;
import dev.xmem.s3.PieceStore.MalformedStreamException;
import dev.xmem.s3.PieceStore.MissingPieceException;
import dev.xmem.s3.ReplicaHead.Pieces;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sync through a bucket of object storage with the protocol of Amazon S3; there is no server to run. The store must
 * honor {@code If-None-Match} and {@code If-Match} when it writes, which is checked. Each replica has a head, one
 * object, and objects with the bytes of its streams. A publication writes its bytes, and then replaces the head on the
 * condition that no one else did: that makes it all or nothing, and refuses a second writer under the same id.
 *
 * <p>Whoever may write to the bucket can write the streams of any replica, unless the policy limits each to its own
 * folder. Not thread-safe; the sync worker of the store is the only caller.
 */
public final class S3SyncBackend implements SyncBackend {
    private static final int MAX_TRIES = 6;
    private static final int COMMIT_BYTES = 16;
    private static final long MAX_CACHED_BYTES = 32L << 20;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final S3Client client;
    private final HeadStore heads;
    private final PieceStore pieces;
    private final Duration orphansAge;
    /** Whether there may be objects of this replica that its head does not name. */
    private boolean unswept = true;

    /** When this backend looked for them last. */
    private long sweptNanos;

    private boolean toldOfVersions;
    /** The streams that cannot be read, which are not fetched again until they change. */
    private final Map<Stream, Unread> unread = new HashMap<>();

    private record Unread(Head known, Head end, String why) {}

    S3SyncBackend(S3Client client, String prefix, Duration orphansAge) {
        this.client = client;
        this.heads = new HeadStore(client, prefix + "xmem-v1/", MAX_CACHED_BYTES);
        this.orphansAge = orphansAge;
        this.pieces = new PieceStore(client, prefix + "xmem-v1/", orphansAge);
    }

    /**
     * Creates a builder for a bucket, which must exist.
     *
     * @throws IllegalArgumentException if the name is not one of a bucket
     */
    public static Builder of(String bucket) {
        return new Builder(bucket, System.getenv());
    }

    /** Builds a backend. Not thread-safe. */
    public static final class Builder {
        private final S3Place place;
        private String prefix = "";
        private @Nullable Supplier<S3Credentials> credentials;
        private Duration orphansAge = Duration.ofHours(1);

        Builder(String bucket, Map<String, String> environment) {
            this.place = new S3Place(bucket, environment);
        }

        /**
         * The region of the bucket. Default: {@code AWS_REGION}, {@code AWS_DEFAULT_REGION} or {@code us-east-1}. Other
         * vendors name their own, such as {@code auto}.
         */
        public Builder region(String region) {
            place.region(region);
            return this;
        }

        /**
         * The address of another service than Amazon's, such as {@code https://minio.example.org:9000}. Default: {@code
         * AWS_ENDPOINT_URL_S3}, {@code AWS_ENDPOINT_URL} or Amazon's in the region. Without TLS it must be this
         * machine's.
         */
        public Builder endpoint(URI endpoint) {
            place.endpoint(endpoint);
            return this;
        }

        /**
         * Whether the bucket is in the path of a request and not in the name of its host. Default: true at an endpoint,
         * and for a name with dots, which no certificate covers.
         */
        public Builder pathStyle(boolean pathStyle) {
            place.pathStyle(pathStyle);
            return this;
        }

        /** Accepts servers with a certificate of this authority only; a file in PEM form. Default: those of Java. */
        public Builder tls(Path authority) {
            place.tls(authority);
            return this;
        }

        /** A folder in the bucket. Default: none. Letters, digits, dots, hyphens, underscores and slashes. */
        public Builder prefix(String folder) {
            if (!folder.matches("([A-Za-z0-9_-][A-Za-z0-9._-]*/)*([A-Za-z0-9_-][A-Za-z0-9._-]*)?")
                    || folder.length() > 512) {
                throw new IllegalArgumentException("a prefix must consist of letters, digits, dots, - and _ between /");
            }
            this.prefix = folder.isEmpty() || folder.endsWith("/") ? folder : folder + '/';
            return this;
        }

        /**
         * The keys, kept in memory only. Default: {@code AWS_ACCESS_KEY_ID}, {@code AWS_SECRET_ACCESS_KEY} and {@code
         * AWS_SESSION_TOKEN}, which must then be set.
         */
        public Builder credentials(S3Credentials keys) {
            this.credentials = () -> keys;
            return this;
        }

        /** Keys that change, such as those of a role: asked for each request, so it should answer from memory. */
        public Builder credentials(Supplier<S3Credentials> keys) {
            this.credentials = keys;
            return this;
        }

        /**
         * Creates the backend. It connects on first use.
         *
         * @throws IllegalArgumentException if there are no credentials, or the authority's file cannot be read
         */
        public S3SyncBackend build() {
            return new S3SyncBackend(client(), prefix, orphansAge);
        }

        S3Client client() {
            return place.client(credentials);
        }

        /** When objects that no head names are deleted, and how often a backend looks for them. Default: an hour. */
        Builder orphansAge(Duration age) {
            orphansAge = age;
            return this;
        }
    }

    @Override
    public String id() {
        return "s3";
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of(Ability.ERASE, Ability.RETIRE);
    }

    @Override
    public Ack publish(Publication own, Duration duration) throws IOException {
        TimeLimit limit = new TimeLimit(duration);
        String replica = own.replica();
        Known cached = heads.cached(replica);
        boolean fresh = cached == null || cached.head() == null;
        @Nullable Known before = fresh ? heads.read(replica, limit) : cached;
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            ReplicaHead head = usable(replica, before);
            if (head.retired()) {
                return Ack.retired();
            }
            boolean follows = own.chunks().stream()
                    .allMatch(chunk -> chunk.follows(head.end(chunk.stream().name())));
            if (follows && publish(own, before, head, limit)) {
                return Ack.accepted();
            }
            if (!follows && fresh) {
                // A head that is not there is no reason to delete: it may be only hidden, or restored.
                if (before != null) {
                    sweep(replica, head, limit);
                }
                return Ack.refused();
            }
            fresh = true;
            before = heads.read(replica, limit);
        }
        throw new IOException("other writers keep changing the head of this replica");
    }

    /** Writes the bytes and then the head; false if another writer was faster. */
    private boolean publish(Publication own, @Nullable Known before, ReplicaHead head, TimeLimit limit)
            throws IOException {
        SortedMap<String, Pieces> streams = new TreeMap<>(head.streams());
        List<String> replaced = new ArrayList<>();
        boolean restarted = false;
        for (Chunk chunk : own.chunks()) {
            String name = chunk.stream().name();
            Pieces now = streams.getOrDefault(name, new Pieces(0, List.of()));
            PieceStore.Written written = pieces.write(chunk, now, limit);
            streams.put(name, written.pieces());
            // Also if there is none before: the attempt to publish one may have left its bytes.
            restarted |= chunk.generation() > Math.max(1, now.generation());
            if (written.replaced() != null) {
                replaced.add(written.replaced());
            }
        }
        ReplicaHead next = new ReplicaHead(commit(), false, streams);
        unswept |= restarted;
        if (!heads.replace(own.replica(), before, next, limit)) {
            return false;
        }
        for (String key : replaced) {
            pieces.delete(key, limit);
        }
        sweep(own.replica(), next, limit);
        return true;
    }

    private void sweep(String replica, ReplicaHead head, TimeLimit limit) throws IOException {
        if (unswept || System.nanoTime() - sweptNanos >= orphansAge.toNanos()) {
            pieces.sweep(replica, head, limit);
            unswept = false;
            sweptNanos = System.nanoTime();
        }
    }

    private static String commit() {
        byte[] bytes = new byte[COMMIT_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** The head to publish on. */
    private ReplicaHead usable(String replica, @Nullable Known known) throws IOException {
        if (known == null) {
            return new ReplicaHead("", false, new TreeMap<>());
        }
        if (known.head() == null) {
            boolean malformed = known.problem().equals(ReplicaHead.MALFORMED);
            throw new IOException("the head of the replica " + replica + ' ' + known.problem()
                    + (malformed ? "; delete " + heads.key(replica) + ", and its store publishes it again" : ""));
        }
        return known.head();
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration duration) throws IOException {
        TimeLimit limit = new TimeLimit(duration);
        StagedBatch batch = new StagedBatch(known, maxBytes);
        SortedMap<String, String> tags = heads.list(limit);
        if (!heads.listsAll()) {
            batch.refused.add("there are more heads of replicas than are read");
        }
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            try {
                collect(tag.getKey(), tag.getValue(), batch, limit);
            } catch (S3Exception e) {
                if (e.status() >= 500 || e.status() == 0) {
                    throw e;
                }
                // An object of this replica; the others can be read.
                batch.refused.add(label(tag.getKey()) + " cannot be read: " + e.getMessage());
            } catch (IOException e) {
                if (batch.chunks.isEmpty() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                batch.more = true; // the next poll fails, or goes on
            }
            if (batch.more) {
                break;
            }
        }
        if (client.keepsVersions() && !toldOfVersions) {
            toldOfVersions = true;
            batch.refused.add("the bucket keeps versions of objects, and with them what was erased,"
                    + " until a rule for noncurrent versions deletes them");
        }
        return Batch.of(batch.chunks, batch.refused, batch.more);
    }

    /** The batch that a poll collects. */
    private static final class StagedBatch {
        private final Map<Stream, Head> known;
        private final List<Chunk> chunks = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();
        private long left;
        private boolean more;

        StagedBatch(Map<Stream, Head> known, long left) {
            this.known = known;
            this.left = left;
        }
    }

    private void collect(String replica, String tag, StagedBatch batch, TimeLimit limit) throws IOException {
        Known now = heads.get(replica, tag, limit);
        for (int tries = 1; now != null && now.head() != null; tries++) {
            int chunks = batch.chunks.size();
            long left = batch.left;
            try {
                collect(replica, now.head(), batch, limit);
                return;
            } catch (MissingPieceException e) {
                // Its owner replaced it; the head that names the new one was written before.
                batch.chunks.subList(chunks, batch.chunks.size()).clear();
                batch.left = left;
                batch.more = false;
                Known next = heads.read(replica, limit);
                boolean changed = next != null && !next.tag().equals(now.tag());
                if (!changed || tries == MAX_TRIES) {
                    batch.refused.add(label(replica) + (changed ? " changes too fast" : " lacks an object"));
                    return;
                }
                now = next;
            }
        }
        if (now != null) {
            batch.refused.add("the head of " + label(replica) + ' ' + now.problem());
        }
    }

    private void collect(String replica, ReplicaHead head, StagedBatch batch, TimeLimit limit) throws IOException {
        for (Map.Entry<String, Pieces> entry : head.streams().entrySet()) {
            Stream stream = new Stream(replica, entry.getKey());
            Head known = batch.known.getOrDefault(stream, Head.NONE);
            Head end = entry.getValue().end();
            boolean news = end.generation() > known.generation()
                    || end.generation() == known.generation() && end.position() > known.position();
            if (news && batch.left <= 0) {
                batch.more = true;
                return;
            }
            Unread before = unread.get(stream);
            if (before != null && before.known.equals(known) && before.end.equals(end)) {
                batch.refused.add(label(replica) + '/' + stream.name() + ' ' + before.why);
            } else if (news) {
                read(stream, entry.getValue(), known, batch, limit);
            }
        }
    }

    private void read(Stream stream, Pieces end, Head known, StagedBatch batch, TimeLimit limit) throws IOException {
        String why = "ends within a line";
        try {
            Chunk chunk = pieces.read(stream, end, known, batch.left, limit);
            if (chunk != null) {
                batch.chunks.add(chunk);
                batch.left -= chunk.bytes().length;
                batch.more |= chunk.to() < end.end().position();
                unread.remove(stream);
                return;
            }
        } catch (MalformedStreamException e) {
            why = String.valueOf(e.getMessage());
        }
        unread.put(stream, new Unread(known, end.end(), why));
        batch.refused.add(label(stream.replica()) + '/' + stream.name() + ' ' + why);
    }

    private static String label(String replica) {
        return replica.substring(0, 8);
    }

    @Override
    public void retire(String replica, Duration duration) throws IOException {
        TimeLimit limit = new TimeLimit(duration);
        String owner = new Stream(replica, "notes").replica();
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Known before = heads.read(owner, limit);
            ReplicaHead head = usable(owner, before);
            if (head.retired()
                    || heads.replace(owner, before, new ReplicaHead(commit(), true, head.streams()), limit)) {
                // What its last process left, if it died before it could delete it.
                pieces.sweep(owner, head, limit);
                return;
            }
        }
        throw new IOException("other writers keep changing the head of this replica");
    }

    @Override
    public void close() {
        // connections close by themselves when they are idle
    }
}
