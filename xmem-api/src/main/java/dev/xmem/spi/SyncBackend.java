package dev.xmem.spi;

import dev.xmem.Incubating;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Transports the streams of replicas between machines. A stream is an append-only file that one replica owns, addressed
 * by byte positions. When the owner rewrites it, for a compaction or erasure, the stream restarts at position 0 in a
 * higher generation. Only the owner writes a stream, so there are no conflicts and nothing to merge.
 *
 * <p>Methods may block up to the given limit and throw {@link IOException}. Only the sync worker calls them: one call
 * at a time, from changing threads. Every call can be repeated: after a failed call, the next one detects what it did.
 * An interrupt ends a call early with an {@link IOException}. The tests of a provider extend
 * {@code SyncBackendContract} of the test-jar.
 *
 * @since 0.1
 */
@Incubating
public interface SyncBackend extends AutoCloseable {
    /** Returns a short name for reports, such as {@code git}. Contains no secret, and no URL with a secret. */
    String id();

    /** Returns the optional capabilities. Default: none. */
    default Set<Ability> abilities() {
        return Set.of();
    }

    /**
     * Appends chunks to the caller's own streams, all or none. A chunk must start where its stream ends, in the same
     * generation; or it starts a stream, or a higher generation of one, at position 0, which removes the content of the
     * lower generations from the backend.
     *
     * @return accepted; or refused with nothing changed, because the streams do not end where the chunks start
     */
    Ack publish(Publication own, Duration limit) throws IOException;

    /**
     * Returns what the caller does not have yet. For a stream in the known generation: what follows the known position.
     * For an unknown stream, or a higher generation: everything from position 0. For a lower generation: nothing.
     * Chunks of one stream are in order, and each ends with a newline. The result includes the caller's own streams:
     * when a store is opened, it reads the last line of its own streams to check that this is the backend it published
     * to.
     *
     * @param known where the caller's copies of the streams end; a stream that is not listed is read from its beginning
     * @param maxBytes the maximum size of the result in bytes; exceeded only by a single line that is longer
     */
    Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException;

    /**
     * Ends the streams of a replica that is gone for good. They stay readable, and further publications of the replica
     * are refused. Idempotent.
     *
     * @throws UnsupportedOperationException without {@link Ability#RETIRE}
     */
    default void retire(String replica, Duration limit) throws IOException {
        throw new UnsupportedOperationException(id() + " cannot retire a replica");
    }

    @Override
    void close() throws IOException;

    /** An optional capability of a backend. */
    enum Ability {
        /** Content that a higher generation replaced is no longer reachable anywhere in the backend. */
        ERASE,
        /** {@link SyncBackend#retire} works. */
        RETIRE,
        /**
         * The backend does not return what was published: {@link SyncBackend#poll} is empty; with {@link #GROUP_COMMIT}
         * it may return the caller's own streams after a refusal.
         */
        WRITE_ONLY,
        /**
         * The backend writes the publications of several stores of a process together, and returns nothing of other
         * stores; it also has {@link #WRITE_ONLY}. Each store has a backend object of its own, and calls it from its
         * own thread. {@link SyncBackend#publish} may wait for other stores' publications, within the limit. Its result
         * is about its own publication alone: whatever is wrong with another one, it is neither refused nor fails for
         * that reason, and it is not accepted before it is stored.
         *
         * <p>A store publishes a tenth of a second after it recorded something, and within three seconds what another
         * process appended to its logs. It polls only after a refusal and in {@link dev.xmem.XMemStore#sync}.
         */
        GROUP_COMMIT
    }

    /**
     * The name of a stream.
     *
     * @param replica the id of its owner, 32 lower-case hexadecimal digits
     * @param name its content: {@code failures}, {@code successes}, {@code memories} or {@code notes}, optionally
     *     followed by a hyphen and more lower-case letters, digits and single hyphens; at most 64 characters
     */
    record Stream(String replica, String name) {
        private static final Pattern REPLICA = Pattern.compile("[0-9a-f]{32}");
        private static final Pattern NAME = Pattern.compile("(failures|successes|memories|notes)(-[a-z0-9]+)*");
        private static final int NAME_CHARS = 64;

        /** Throws {@link IllegalArgumentException} if a part is malformed, so that a name is safe in a path. */
        public Stream {
            if (!isReplica(Objects.requireNonNull(replica, "replica"))
                    || !isName(Objects.requireNonNull(name, "name"))) {
                throw new IllegalArgumentException("malformed stream name: " + replica + "/" + name);
            }
        }

        /** Returns whether a text is a well-formed replica id. */
        public static boolean isReplica(String text) {
            return REPLICA.matcher(text).matches();
        }

        /** Returns whether a text is a well-formed stream name. */
        public static boolean isName(String text) {
            return text.length() <= NAME_CHARS && NAME.matcher(text).matches();
        }
    }

    /**
     * The end of a stream.
     *
     * @param generation the number of times the owner has started the stream, from 1; 0 for a stream that does not
     *     exist
     * @param position the length in bytes
     */
    record Head(long generation, long position) {
        /** The end of a stream that does not exist. */
        public static final Head NONE = new Head(0, 0);

        /** The maximum generation. */
        public static final long LAST_GENERATION = 1L << 40;

        /** Throws {@link IllegalArgumentException} if a number is negative, or the generation exceeds the maximum. */
        public Head {
            if (generation < 0 || generation > LAST_GENERATION || position < 0) {
                throw new IllegalArgumentException("malformed end of a stream: " + generation + "/" + position);
            }
        }
    }

    /** A range of a stream. Immutable: the bytes are not copied, and neither side may change them. */
    final class Chunk {
        private final Stream stream;
        private final long generation;
        private final long from;
        private final byte[] bytes;

        private Chunk(Stream stream, long generation, long from, byte[] bytes) {
            this.stream = Objects.requireNonNull(stream, "stream");
            this.generation = generation;
            this.from = from;
            this.bytes = Objects.requireNonNull(bytes, "bytes");
        }

        /**
         * Creates a chunk from complete lines with their newlines, or from no bytes, and the position of the first
         * byte.
         */
        public static Chunk of(Stream stream, long generation, long from, byte[] bytes) {
            return new Chunk(stream, generation, from, bytes);
        }

        /** Returns the stream. */
        public Stream stream() {
            return stream;
        }

        /** Returns the generation. */
        public long generation() {
            return generation;
        }

        /** Returns the position of the first byte. */
        public long from() {
            return from;
        }

        /** Returns the position after the last byte. */
        public long to() {
            return from + bytes.length;
        }

        /** Returns the bytes, not a copy. */
        public byte[] bytes() {
            return bytes;
        }

        /** Returns the end of the stream after this chunk. */
        public Head end() {
            return new Head(generation, to());
        }

        /** Returns whether the chunk continues a stream that ends here, or starts a higher generation of it. */
        public boolean follows(Head head) {
            return generation == head.generation() && from == head.position()
                    || from == 0 && generation > head.generation();
        }
    }

    /** The chunks that a replica publishes in one call. Immutable. */
    final class Publication {
        private final String replica;
        private final List<Chunk> chunks;
        private final String summary;

        private Publication(String replica, List<Chunk> chunks, String summary) {
            this.replica = Objects.requireNonNull(replica, "replica");
            this.chunks = List.copyOf(Objects.requireNonNull(chunks, "chunks"));
            this.summary = Objects.requireNonNull(summary, "summary");
            if (!this.chunks.stream().allMatch(chunk -> chunk.stream().replica().equals(replica))) {
                throw new IllegalArgumentException("a replica publishes only its own streams");
            }
        }

        /**
         * Creates a publication with at most one chunk per stream.
         *
         * @param summary one line for a backend that keeps a history
         * @throws IllegalArgumentException if a chunk belongs to another replica
         */
        public static Publication of(String replica, List<Chunk> chunks, String summary) {
            return new Publication(replica, chunks, summary);
        }

        /** Returns the id of the owner. */
        public String replica() {
            return replica;
        }

        /** Returns the chunks. */
        public List<Chunk> chunks() {
            return chunks;
        }

        /** Returns one line that summarizes the content. */
        public String summary() {
            return summary;
        }
    }

    /** The result of a publication. Immutable. */
    final class Ack {
        private final boolean accepted;
        private final boolean retired;

        private Ack(boolean accepted, boolean retired) {
            this.accepted = accepted;
            this.retired = retired;
        }

        /** Returns the result that the chunks are stored. */
        public static Ack accepted() {
            return new Ack(true, false);
        }

        /**
         * Returns the result that the streams do not end where the chunks start; the caller then polls its own streams.
         */
        public static Ack refused() {
            return new Ack(false, false);
        }

        /** Returns the result that the replica was retired. */
        public static Ack retired() {
            return new Ack(false, true);
        }

        /** Returns whether the chunks are stored. */
        public boolean isAccepted() {
            return accepted;
        }

        /** Returns whether the replica was retired, so that nothing can be published under its id. */
        public boolean isRetired() {
            return retired;
        }
    }

    /** The result of a poll. Immutable. */
    final class Batch {
        private final List<Chunk> chunks;
        private final List<String> refused;
        private final boolean more;

        private Batch(List<Chunk> chunks, List<String> refused, boolean more) {
            this.chunks = List.copyOf(Objects.requireNonNull(chunks, "chunks"));
            this.refused = List.copyOf(Objects.requireNonNull(refused, "refused"));
            this.more = more;
        }

        /**
         * Creates a batch.
         *
         * @param chunks the chunks
         * @param refused one sentence for each thing at the backend that was rejected
         * @param more whether the size limit ended the batch
         */
        public static Batch of(List<Chunk> chunks, List<String> refused, boolean more) {
            return new Batch(chunks, refused, more);
        }

        /** Returns the chunks. */
        public List<Chunk> chunks() {
            return chunks;
        }

        /** Returns one sentence for each thing at the backend that was rejected. */
        public List<String> refused() {
            return refused;
        }

        /** Returns whether there is more, so that the caller polls again from the end of these chunks. */
        public boolean more() {
            return more;
        }
    }
}
