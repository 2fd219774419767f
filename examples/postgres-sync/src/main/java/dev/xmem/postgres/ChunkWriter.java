package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a publication of a replica, in the caller's transaction. Two writers with the same replica id are serialized
 * by the lock on the row of the replica.
 */
final class ChunkWriter {
    private static final int PIECE_BYTES = 32 << 10;

    private final Connection connection;
    private final FamilyWriter families;

    ChunkWriter(Connection connection) {
        this.connection = connection;
        this.families = new FamilyWriter(connection);
    }

    /** Writes all chunks, or refuses the publication and writes nothing. */
    Ack publish(Publication own) throws SQLException {
        if (lock(own.replica())) {
            return Ack.retired();
        }
        Map<String, Head> heads = heads(own.replica());
        for (Chunk chunk : own.chunks()) {
            if (!chunk.follows(heads.getOrDefault(chunk.stream().name(), Head.NONE))) {
                return Ack.refused();
            }
        }
        for (Chunk chunk : own.chunks()) {
            if (chunk.from() == 0) {
                deletePieces(chunk);
            }
            updateHead(chunk);
            insertPieces(chunk);
            families.publish(chunk);
        }
        return Ack.accepted();
    }

    /** Marks a replica as retired. */
    void retire(String replica) throws SQLException {
        lock(replica);
        try (PreparedStatement sql = connection.prepareStatement("update replica set retired = true where id = ?")) {
            sql.setString(1, replica);
            sql.executeUpdate();
        }
    }

    /**
     * Locks the row of the replica until the transaction ends; creates the row if needed.
     *
     * @return whether the replica is retired
     */
    private boolean lock(String replica) throws SQLException {
        Boolean retired = retired(replica);
        if (retired == null) {
            try (PreparedStatement sql =
                    connection.prepareStatement("insert into replica (id) values (?) on conflict do nothing")) {
                sql.setString(1, replica);
                sql.executeUpdate();
            }
            retired = retired(replica);
        }
        return Boolean.TRUE.equals(retired);
    }

    private @Nullable Boolean retired(String replica) throws SQLException {
        try (PreparedStatement sql =
                connection.prepareStatement("select retired from replica where id = ? for update")) {
            sql.setString(1, replica);
            try (ResultSet row = sql.executeQuery()) {
                return row.next() ? row.getBoolean(1) : null;
            }
        }
    }

    private Map<String, Head> heads(String replica) throws SQLException {
        Map<String, Head> heads = new HashMap<>();
        try (PreparedStatement sql =
                connection.prepareStatement("select name, generation, bytes from stream where replica = ?")) {
            sql.setString(1, replica);
            try (ResultSet row = sql.executeQuery()) {
                while (row.next()) {
                    heads.put(row.getString(1), new Head(row.getLong(2), row.getLong(3)));
                }
            }
        }
        return heads;
    }

    private void deletePieces(Chunk chunk) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement("delete from piece where replica = ? and name = ?")) {
            sql.setString(1, chunk.stream().replica());
            sql.setString(2, chunk.stream().name());
            sql.executeUpdate();
        }
    }

    private void updateHead(Chunk chunk) throws SQLException {
        try (PreparedStatement sql =
                connection.prepareStatement("insert into stream (replica, name, generation, bytes) values (?, ?, ?, ?)"
                        + " on conflict (replica, name) do update set generation = excluded.generation,"
                        + " bytes = excluded.bytes, changed = excluded.changed")) {
            sql.setString(1, chunk.stream().replica());
            sql.setString(2, chunk.stream().name());
            sql.setLong(3, chunk.generation());
            sql.setLong(4, chunk.to());
            sql.executeUpdate();
        }
    }

    /** Inserts the bytes in pieces of whole lines. */
    private void insertPieces(Chunk chunk) throws SQLException {
        byte[] bytes = chunk.bytes();
        try (PreparedStatement sql = connection.prepareStatement(
                "insert into piece (replica, name, generation, position, bytes) values (?, ?, ?, ?, ?)")) {
            int start = 0;
            int lineEnd = 0;
            for (int i = 0; i < bytes.length; i++) {
                boolean ends = bytes[i] == '\n' || i == bytes.length - 1;
                if (ends && i + 1 - start > PIECE_BYTES && lineEnd > start) {
                    add(sql, chunk, start, lineEnd);
                    start = lineEnd;
                }
                lineEnd = ends ? i + 1 : lineEnd;
            }
            if (start < bytes.length) {
                add(sql, chunk, start, bytes.length);
            }
            sql.executeBatch();
        }
    }

    private static void add(PreparedStatement sql, Chunk chunk, int start, int end) throws SQLException {
        sql.setString(1, chunk.stream().replica());
        sql.setString(2, chunk.stream().name());
        sql.setLong(3, chunk.generation());
        sql.setLong(4, chunk.from() + start);
        sql.setBytes(5, Arrays.copyOfRange(chunk.bytes(), start, end));
        sql.addBatch();
    }
}
