package dev.xmem.spi;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Carries the streams of many replicas, each written by its owner alone. <strong>Incubating</strong>: it may change in a
 * minor release until git, a directory and PostgreSQL pass one contract. Its methods may block and throw
 * {@link IOException}; only the sync worker calls them.
 */
public interface SyncBackend extends AutoCloseable {
    /** A short name for reports. */
    String id();

    /** Appends own lines at their position, if their token is still current. */
    Ack publish(Lines own) throws IOException;

    /** Replaces the own stream: a compaction or an erasure. */
    Ack replace(Lines own) throws IOException;

    /**
     * What others published since these tokens.
     *
     * @param tokens the last token seen, by replica
     * @param maxBytes how much to fetch at most
     */
    List<Lines> poll(Map<String, String> tokens, long maxBytes) throws IOException;

    /** Ends the stream of a replica that will not come back. */
    void retire(String replica) throws IOException;

    @Override
    void close() throws IOException;

    /**
     * The answer to a publication.
     *
     * @param accepted whether the lines are there now
     * @param token the stream's token now
     */
    record Ack(boolean accepted, String token) {}

    /** A run of lines of one stream. Immutable; the byte arrays are the caller's promise not to change. */
    final class Lines {
        private final String replica;
        private final long from;
        private final String token;
        private final List<byte[]> lines;

        private Lines(String replica, long from, String token, List<byte[]> lines) {
            this.replica = Objects.requireNonNull(replica, "replica");
            this.from = from;
            this.token = Objects.requireNonNull(token, "token");
            this.lines = List.copyOf(lines);
        }

        /** Lines that begin at a byte position of a stream, under a token. */
        public static Lines of(String replica, long from, String token, List<byte[]> lines) {
            return new Lines(replica, from, token, lines);
        }

        /** The owner. */
        public String replica() {
            return replica;
        }

        /** The position of the first line, in bytes from the beginning of the stream. */
        public long from() {
            return from;
        }

        /** The token these lines follow, or, from a poll, lead to. */
        public String token() {
            return token;
        }

        /** The lines, without line ends. */
        public List<byte[]> lines() {
            return lines;
        }
    }
}
