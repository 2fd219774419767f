package dev.xmem.s3;

import dev.xmem.s3.ReplicaHead.Piece;
import dev.xmem.s3.ReplicaHead.Pieces;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of streams: {@code pieces/<replica>/<stream>/<generation>/<position>-<hash>}. An object is never changed:
 * its name has its hash. A chunk is one object; but the last one of a stream is replaced by a longer one until it has
 * {@link #ROLL_BYTES}, so that many small publications do not become many small objects. One caller at a time.
 */
final class PieceStore {
    /** A piece that is shorter is replaced by the next publication. */
    static final int ROLL_BYTES = 64 << 10;

    private static final int PIECE_BYTES = 1 << 20;
    private static final int MAX_LINE_BYTES = 64 << 20;
    private static final int POSITION_DIGITS = 16;

    private final S3Client client;
    private final String prefix;
    private final Duration orphansAge;
    /** The last pieces of the own streams, which the next publication replaces. */
    private final Map<Stream, Tail> tails = new HashMap<>();

    private record Tail(String key, byte[] bytes) {}

    /** Objects that no head names are deleted at this age. */
    PieceStore(S3Client client, String prefix, Duration orphansAge) {
        this.client = client;
        this.prefix = prefix + "pieces/";
        this.orphansAge = orphansAge;
    }

    private String folder(String replica) {
        return prefix + replica + '/';
    }

    private String key(Stream stream, long generation, long position, Piece piece) {
        String digits = String.format(Locale.ROOT, "%0" + POSITION_DIGITS + "d", position);
        return folder(stream.replica()) + stream.name() + '/' + generation + '/' + digits + '-' + piece.hash();
    }

    /** What a chunk makes of the pieces of its stream, and the object that is not needed any more. */
    record Written(Pieces pieces, @Nullable String replaced) {}

    /** Writes the bytes of a chunk that follows the pieces. Nothing is published until a head names them. */
    Written write(Chunk chunk, Pieces before, TimeLimit limit) throws IOException {
        List<Piece> pieces = new ArrayList<>();
        byte[] bytes = chunk.bytes();
        String replaced = null;
        if (chunk.generation() == before.generation()) {
            pieces.addAll(before.pieces());
            int last = pieces.size() - 1;
            if (last >= 0 && bytes.length > 0 && pieces.get(last).length() < ROLL_BYTES) {
                String key = key(chunk.stream(), chunk.generation(), before.start(last), pieces.get(last));
                Tail tail = tails.get(chunk.stream());
                byte[] begin = tail != null && tail.key.equals(key) ? tail.bytes : whole(key, pieces.get(last), limit);
                if (begin != null) {
                    replaced = key;
                    pieces.remove(last);
                    bytes = Arrays.copyOf(begin, begin.length + chunk.bytes().length);
                    System.arraycopy(chunk.bytes(), 0, bytes, begin.length, chunk.bytes().length);
                }
            }
        }
        long position = chunk.to() - bytes.length;
        for (int at = 0; at < bytes.length; at += PIECE_BYTES) {
            byte[] part = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + PIECE_BYTES));
            Piece piece = Piece.of(part);
            String key = key(chunk.stream(), chunk.generation(), position + at, piece);
            client.put(key, part, limit);
            pieces.add(piece);
            tails.put(chunk.stream(), new Tail(key, part.length < ROLL_BYTES ? part : new byte[0]));
        }
        return new Written(new Pieces(chunk.generation(), pieces), replaced);
    }

    /** A whole piece; null if the object is missing or has other bytes. */
    private byte @Nullable [] whole(String key, Piece piece, TimeLimit limit) throws IOException {
        S3Client.Content content = client.get(key, piece.length(), limit);
        return content != null && Piece.of(content.bytes()).equals(piece) ? content.bytes() : null;
    }

    /** Deletes an object that was replaced; if that fails, {@link #sweep} does it later. */
    void delete(String key, TimeLimit limit) throws IOException {
        try {
            client.delete(key, limit);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            // an orphan
        }
    }

    /**
     * Deletes the objects of a replica that its head does not name: of lower generations at once, others if they are
     * old, since another writer may be about to publish them.
     */
    void sweep(String replica, ReplicaHead head, TimeLimit limit) throws IOException {
        Set<String> named = new HashSet<>();
        head.streams().forEach((name, pieces) -> {
            long position = 0;
            for (Piece piece : pieces.pieces()) {
                named.add(key(new Stream(replica, name), pieces.generation(), position, piece));
                position += piece.length();
            }
        });
        Instant old = Instant.now().minus(orphansAge);
        String next = null;
        do {
            Listing page = client.list(folder(replica), next, limit);
            for (Listing.Item item : page.items()) {
                boolean own = item.key().startsWith(folder(replica));
                if (own
                        && !named.contains(item.key())
                        && (isReplaced(item.key(), replica, head.streams())
                                || item.modified().isBefore(old))) {
                    client.delete(item.key(), limit);
                }
            }
            next = page.next();
        } while (next != null);
    }

    private boolean isReplaced(String key, String replica, SortedMap<String, Pieces> streams) {
        String[] parts = key.substring(folder(replica).length()).split("/", -1);
        Pieces current = parts.length == 3 ? streams.get(parts[0]) : null;
        return current != null && parts[1].matches("[0-9]{1,15}") && Long.parseLong(parts[1]) < current.generation();
    }

    /**
     * Reads what follows the known end of a stream, in whole lines.
     *
     * @param most the maximum number of bytes; a single line may be longer
     * @return null if there is nothing new
     * @throws MissingPieceException if an object is not there, which its owner may have replaced since
     * @throws IOException if the object store does not answer
     */
    @Nullable Chunk read(Stream stream, Pieces pieces, Head known, long most, TimeLimit limit) throws IOException {
        Head end = pieces.end();
        boolean replaced = end.generation() > known.generation();
        boolean grown = end.generation() == known.generation() && end.position() > known.position();
        if (!replaced && !grown) {
            return null;
        }
        long from = replaced ? 0 : known.position();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long position = 0;
        boolean ended = false;
        for (Piece piece : pieces.pieces()) {
            long to = position + piece.length();
            if (to > from && !(bytes.size() >= most && ended)) {
                byte[] part = part(stream, pieces.generation(), position, piece, Math.max(0, from - position), limit);
                bytes.writeBytes(part);
                ended |= indexOfNewline(part) >= 0;
                if (bytes.size() > MAX_LINE_BYTES && !ended) {
                    throw new MalformedStreamException("has a line of more than " + MAX_LINE_BYTES + " bytes");
                }
            }
            position = to;
        }
        byte[] lines = wholeLines(bytes.toByteArray(), most);
        boolean emptied = replaced && end.position() == 0;
        return lines.length == 0 && !emptied ? null : Chunk.of(stream, end.generation(), from, lines);
    }

    private byte[] part(Stream stream, long generation, long position, Piece piece, long skip, TimeLimit limit)
            throws IOException {
        String key = key(stream, generation, position, piece);
        if (skip > 0) {
            byte[] part = client.tail(key, (int) skip, piece.length(), limit);
            if (part == null) {
                throw new MissingPieceException();
            }
            return part;
        }
        S3Client.Content content = client.get(key, piece.length(), limit);
        if (content == null) {
            throw new MissingPieceException();
        }
        if (!Piece.of(content.bytes()).equals(piece)) {
            throw new MalformedStreamException("has an object with other bytes than its head says, at " + position);
        }
        return content.bytes();
    }

    private static int indexOfNewline(byte[] bytes) {
        int at = 0;
        while (at < bytes.length && bytes[at] != '\n') {
            at++;
        }
        return at == bytes.length ? -1 : at;
    }

    /** The lines that fit into {@code most} bytes, or the first line if it is longer. */
    private static byte[] wholeLines(byte[] bytes, long most) {
        int end = (int) Math.min(bytes.length, Math.max(0, most));
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        end = end > 0 ? end : indexOfNewline(bytes) + 1;
        return end == bytes.length ? bytes : Arrays.copyOf(bytes, end);
    }

    /** An object that a head names is not there. */
    static final class MissingPieceException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** A stream cannot be read; the message completes a sentence about it. */
    static final class MalformedStreamException extends IOException {
        private static final long serialVersionUID = 1L;

        MalformedStreamException(String message) {
            super(message);
        }
    }
}
