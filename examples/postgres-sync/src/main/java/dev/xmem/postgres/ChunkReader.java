package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the next chunk of a stream, in whole lines. The database is not trusted: every size is checked. */
final class ChunkReader {
    private static final int MAX_PIECE_BYTES = 64 << 20;
    private static final int ROWS_AT_ONCE = 64;
    private static final String PIECES = """
            select position, case when octet_length(bytes) <= ? then bytes end
            from piece
            where replica = ? and name = ? and generation = ?
              and position >= (select coalesce(max(position), 0) from piece
                               where replica = ? and name = ? and generation = ? and position <= ?)
            order by position""";

    private final Connection connection;

    ChunkReader(Connection connection) {
        this.connection = connection;
    }

    /**
     * Reads what follows the known head.
     *
     * @param most the maximum number of bytes; a single line may be longer
     * @return null if there is nothing new
     * @throws IOException if the pieces do not form a stream
     */
    @Nullable Chunk after(Stream stream, Head end, Head known, long most) throws SQLException, IOException {
        boolean replaced = end.generation() > known.generation();
        boolean behind = end.generation() == known.generation() && end.position() > known.position();
        if (!replaced && !behind) {
            return null;
        }
        long from = replaced ? 0 : known.position();
        byte[] lines = wholeLines(bytes(stream, end, from, most), most);
        return lines.length == 0 && !(replaced && end.position() == 0)
                ? null
                : Chunk.of(stream, end.generation(), from, lines);
    }

    private byte[] bytes(Stream stream, Head end, long from, long most) throws SQLException, IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PreparedStatement sql = connection.prepareStatement(PIECES)) {
            sql.setFetchSize(ROWS_AT_ONCE);
            sql.setInt(1, MAX_PIECE_BYTES);
            for (int at : new int[] {2, 5}) {
                sql.setString(at, stream.replica());
                sql.setString(at + 1, stream.name());
                sql.setLong(at + 2, end.generation());
            }
            sql.setLong(8, from);
            try (ResultSet row = sql.executeQuery()) {
                while (row.next() && from + bytes.size() < end.position() && !isEnough(bytes, most)) {
                    add(row.getLong(1), row.getBytes(2), from, bytes);
                }
            }
        }
        return bytes.toByteArray();
    }

    private static void add(long position, byte @Nullable [] piece, long from, ByteArrayOutputStream to)
            throws IOException {
        long skip = from + to.size() - position;
        boolean first = to.size() == 0;
        if (piece == null) {
            throw new IOException("has a piece of more than " + MAX_PIECE_BYTES + " bytes");
        }
        if (skip < 0 || skip > piece.length || !first && skip != 0) {
            throw new IOException("has a gap at byte " + (from + to.size()));
        }
        to.write(piece, (int) skip, piece.length - (int) skip);
        if (to.size() > MAX_PIECE_BYTES * 2L) {
            throw new IOException("has a line of more than " + MAX_PIECE_BYTES + " bytes");
        }
    }

    private static boolean isEnough(ByteArrayOutputStream bytes, long most) {
        return bytes.size() >= most && lastNewline(bytes.toByteArray(), bytes.size()) >= 0;
    }

    private static int lastNewline(byte[] bytes, int before) {
        int at = before - 1;
        while (at >= 0 && bytes[at] != '\n') {
            at--;
        }
        return at;
    }

    /** The lines that fit into {@code most} bytes, or the first line if it is longer. */
    private static byte[] wholeLines(byte[] bytes, long most) {
        int end = lastNewline(bytes, (int) Math.min(bytes.length, most)) + 1;
        for (int i = 0; end == 0 && i < bytes.length; i++) {
            end = bytes[i] == '\n' ? i + 1 : 0;
        }
        return end == bytes.length ? bytes : Arrays.copyOf(bytes, end);
    }
}
