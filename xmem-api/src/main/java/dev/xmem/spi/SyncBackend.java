package dev.xmem.spi;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Carries the streams of many replicas from machine to machine. A stream is a file that one replica, its owner, appends
 * to: bytes at positions. When the owner rewrites it (a compaction, an erasure) it begins again at position 0 in a higher
 * generation. Nobody else writes it, so there is nothing to merge and nothing to conflict.
 *
 * <p>Methods may block up to the limit they are given and throw {@link IOException}; only the sync worker calls them, one
 * call at a time, from changing threads. What a call did before it failed is found out by the next one: every call can be
 * done again. An interrupt ends a call early with an {@link IOException}. Every provider passes {@code
 * SyncBackendContract} of the test-jar.
 *
 * <p><strong>Incubating</strong>: it may change in a minor release.
 */
public interface SyncBackend extends AutoCloseable {
    /** A short name for reports, such as {@code git}. Never a secret, never a URL with one. */
    String id();

    /** What it can do beyond carrying lines. Default: nothing more. */
    default Set<Ability> abilities() {
        return Set.of();
    }

    /**
     * Puts own chunks where they belong, all or none. A chunk belongs where its stream ends: at its generation and
     * position; or it begins a stream, or a higher generation of one, at position 0, and what the lower ones held is gone
     * from the backend.
     *
     * @return accepted; or refused with nothing changed, because the streams do not end where the chunks begin
     */
    Ack publish(Publication own, Duration limit) throws IOException;

    /**
     * What is there beyond what is known. For a stream at the known generation: what follows the known position. For one
     * that is not known, or at a higher generation: all of it, from position 0. For a lower generation: nothing. Chunks of
     * one stream come in their order and end with a newline each. What the caller published is there too: it asks for the last
     * line of its own streams when it is opened, to see whether this is where it published.
     *
     * @param known where the caller's copies of the streams end; a stream that it does not name is wanted from its beginning
     * @param maxBytes how much to hand over at most; one line more if it is longer than that
     */
    Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException;

    /**
     * Ends the streams of a replica that will not come back: they stay readable, and its publications are refused from now
     * on.
     *
     * @throws UnsupportedOperationException without {@link Ability#RETIRE}
     */
    default void retire(String replica, Duration limit) throws IOException {
        throw new UnsupportedOperationException(id() + " cannot retire a replica");
    }

    @Override
    void close() throws IOException;

    /** What a backend may be able to do. */
    enum Ability {
        /** What a higher generation replaced is gone from everything that can be reached there. */
        ERASE,
        /** {@link SyncBackend#retire} works. */
        RETIRE,
        /** What is published is not handed out again, to nobody: {@link SyncBackend#poll} never has anything. */
        WRITE_ONLY
    }

    /**
     * The name of a stream.
     *
     * @param replica its owner: 32 lower-case hexadecimal digits
     * @param name what it holds: {@code failures}, {@code successes}, {@code memories} or {@code notes}, alone or with a
     *     hyphen and more lower-case letters, digits and hyphens; 64 characters at most
     */
    record Stream(String replica, String name) {
        private static final Pattern REPLICA = Pattern.compile("[0-9a-f]{32}");
        private static final Pattern NAME = Pattern.compile("(failures|successes|memories|notes)(-[a-z0-9]+)*");
        private static final int NAME_CHARS = 64;

        /** Refuses what is not of the form, so that no name leads anywhere else. */
        public Stream {
            if (!isReplica(replica) || !isName(name)) {
                throw new IllegalArgumentException("no stream is called " + replica + "/" + name);
            }
        }

        /** Whether a text has the form of a replica's id. */
        public static boolean isReplica(String text) {
            return REPLICA.matcher(text).matches();
        }

        /** Whether a text has the form of a stream's name. */
        public static boolean isName(String text) {
            return text.length() <= NAME_CHARS && NAME.matcher(text).matches();
        }
    }

    /**
     * Where a stream ends.
     *
     * @param generation counts the owner's rewritings, from 1; 0 for a stream that is not there
     * @param position how long it is, in bytes
     */
    record Head(long generation, long position) {
        /** Of a stream that is not there. */
        public static final Head NONE = new Head(0, 0);

        /** The highest generation there may be. */
        public static final long LAST_GENERATION = 1L << 40;

        /** Refuses negative figures and generations that leave none above them. */
        public Head {
            if (generation < 0 || generation > LAST_GENERATION || position < 0) {
                throw new IllegalArgumentException("no stream ends at " + generation + "/" + position);
            }
        }
    }

    /** A stretch of a stream. Immutable; not copying the bytes is a promise of both sides not to change them. */
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

        /** Bytes that begin at a position of a generation of a stream. Lines with their newlines; empty is allowed. */
        public static Chunk of(Stream stream, long generation, long from, byte[] bytes) {
            return new Chunk(stream, generation, from, bytes);
        }

        /** The stream. */
        public Stream stream() {
            return stream;
        }

        /** The generation. */
        public long generation() {
            return generation;
        }

        /** The position of the first byte. */
        public long from() {
            return from;
        }

        /** The position after the last byte. */
        public long to() {
            return from + bytes.length;
        }

        /** The bytes themselves, not a copy. */
        public byte[] bytes() {
            return bytes;
        }

        /** Where the stream ends with this chunk. */
        public Head end() {
            return new Head(generation, to());
        }

        /** Whether it belongs behind a stream that ends so, or begins it anew. */
        public boolean follows(Head head) {
            return generation == head.generation() && from == head.position()
                    || from == 0 && generation > head.generation();
        }
    }

    /** What a replica publishes at once. Immutable. */
    final class Publication {
        private final String replica;
        private final List<Chunk> chunks;
        private final String summary;

        private Publication(String replica, List<Chunk> chunks, String summary) {
            this.replica = Objects.requireNonNull(replica, "replica");
            this.chunks = List.copyOf(chunks);
            this.summary = Objects.requireNonNull(summary, "summary");
            if (!this.chunks.stream().allMatch(chunk -> chunk.stream().replica().equals(replica))) {
                throw new IllegalArgumentException("a replica publishes only its own streams");
            }
        }

        /** Chunks of one owner, one a stream; the summary is one line for a backend that keeps a history. */
        public static Publication of(String replica, List<Chunk> chunks, String summary) {
            return new Publication(replica, chunks, summary);
        }

        /** The owner. */
        public String replica() {
            return replica;
        }

        /** The chunks. */
        public List<Chunk> chunks() {
            return chunks;
        }

        /** One line that says what is in it. */
        public String summary() {
            return summary;
        }
    }

    /** The answer to a publication. Immutable. */
    final class Ack {
        private final boolean accepted;
        private final boolean retired;

        private Ack(boolean accepted, boolean retired) {
            this.accepted = accepted;
            this.retired = retired;
        }

        /** The chunks are there. */
        public static Ack accepted() {
            return new Ack(true, false);
        }

        /** The streams do not end where the chunks begin; the caller polls its own streams to find out. */
        public static Ack refused() {
            return new Ack(false, false);
        }

        /** The replica was retired. */
        public static Ack retired() {
            return new Ack(false, true);
        }

        /** Whether the chunks are there. */
        public boolean isAccepted() {
            return accepted;
        }

        /** Whether the replica publishes no more under this id. */
        public boolean isRetired() {
            return retired;
        }
    }

    /** The answer to a poll. Immutable. */
    final class Batch {
        private final List<Chunk> chunks;
        private final List<String> refused;
        private final boolean more;

        private Batch(List<Chunk> chunks, List<String> refused, boolean more) {
            this.chunks = List.copyOf(chunks);
            this.refused = List.copyOf(refused);
            this.more = more;
        }

        /** Chunks; a sentence for each thing that was found and not read; whether the size ended it. */
        public static Batch of(List<Chunk> chunks, List<String> refused, boolean more) {
            return new Batch(chunks, refused, more);
        }

        /** The chunks. */
        public List<Chunk> chunks() {
            return chunks;
        }

        /** What was found there and not read, a sentence each. */
        public List<String> refused() {
            return refused;
        }

        /** Whether there is more: poll again from where these end. */
        public boolean more() {
            return more;
        }
    }
}
