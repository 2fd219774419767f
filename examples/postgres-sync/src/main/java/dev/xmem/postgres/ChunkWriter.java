package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes publications, in the caller's transaction. Two writers with the same replica id are serialized by the lock on
 * the row of the replica.
 */
final class ChunkWriter {
    private static final int PIECE_BYTES = 32 << 10;

    private final Connection connection;
    private final FamilyWriter families;

    ChunkWriter(Connection connection) {
        this.connection = connection;
        this.families = new FamilyWriter(connection);
    }

    /**
     * What was written.
     *
     * @param acks one for each publication, in their order; null if another transaction has locked its replica
     * @param families the keys of the families of the lines that were written
     */
    record Written(List<@Nullable Ack> acks, Set<Long> families) {}

    /** Writes all chunks of a publication, or refuses it and writes nothing. */
    Ack publish(Publication own) throws SQLException {
        return Objects.requireNonNull(publish(List.of(own)).acks().get(0));
    }

    /**
     * Writes all chunks of each publication, or refuses it and writes nothing of it. At most one for each replica. A
     * single one waits until its replica is not locked; of several, those whose replica is locked are left out.
     */
    Written publish(List<Publication> all) throws SQLException {
        Set<String> replicas = new TreeSet<>(); // in one order, so that two transactions do not wait for each other
        all.forEach(own -> replicas.add(own.replica()));
        Map<String, Boolean> retired = lock(replicas, all.size() > 1);
        Map<Stream, Head> heads = heads(replicas);
        List<@Nullable Ack> acks = new ArrayList<>();
        List<Chunk> chunks = new ArrayList<>();
        for (Publication own : all) {
            boolean follows = own.chunks().stream()
                    .allMatch(chunk -> chunk.follows(heads.getOrDefault(chunk.stream(), Head.NONE)));
            Boolean ended = retired.get(own.replica());
            if (ended == null) {
                acks.add(null);
            } else if (ended) {
                acks.add(Ack.retired());
            } else if (follows) {
                acks.add(Ack.accepted());
                chunks.addAll(own.chunks());
            } else {
                acks.add(Ack.refused());
            }
        }
        if (chunks.isEmpty()) {
            return new Written(acks, Set.of());
        }
        deleteReplaced(connection, "piece", chunks);
        updateHeads(chunks);
        insertPieces(chunks);
        return new Written(acks, families.publish(chunks));
    }

    /** Marks a replica as retired. */
    void retire(String replica) throws SQLException {
        lock(Set.of(replica), false);
        try (PreparedStatement sql = connection.prepareStatement("update replica set retired = true where id = ?")) {
            sql.setString(1, replica);
            sql.executeUpdate();
        }
    }

    /**
     * Locks the rows of replicas until the transaction ends; creates those that are missing.
     *
     * @param skip whether to leave out replicas that another transaction has locked
     * @return whether each replica that was locked is retired
     */
    private Map<String, Boolean> lock(Set<String> replicas, boolean skip) throws SQLException {
        Map<String, Boolean> retired = retired(replicas, skip);
        if (retired.size() < replicas.size()) {
            try (PreparedStatement sql = connection.prepareStatement(
                    "insert into replica (id) select unnest(?) order by 1 on conflict do nothing")) {
                sql.setArray(1, connection.createArrayOf("text", replicas.toArray()));
                sql.executeUpdate();
            }
            retired = retired(replicas, skip);
        }
        return retired;
    }

    private Map<String, Boolean> retired(Set<String> replicas, boolean skip) throws SQLException {
        Map<String, Boolean> retired = new HashMap<>();
        try (PreparedStatement sql =
                connection.prepareStatement("select id, retired from replica where id = any(?) order by id for update"
                        + (skip ? " skip locked" : ""))) {
            sql.setArray(1, connection.createArrayOf("text", replicas.toArray()));
            try (ResultSet row = sql.executeQuery()) {
                while (row.next()) {
                    retired.put(row.getString(1), row.getBoolean(2));
                }
            }
        }
        return retired;
    }

    private Map<Stream, Head> heads(Set<String> replicas) throws SQLException {
        Map<Stream, Head> heads = new HashMap<>();
        try (PreparedStatement sql = connection.prepareStatement(
                "select replica, name, generation, bytes from stream where replica = any(?)")) {
            sql.setArray(1, connection.createArrayOf("text", replicas.toArray()));
            try (ResultSet row = sql.executeQuery()) {
                while (row.next()) {
                    heads.put(new Stream(row.getString(1), row.getString(2)), new Head(row.getLong(3), row.getLong(4)));
                }
            }
        }
        return heads;
    }

    /** Deletes from a table what the chunks that begin a stream replace. */
    static void deleteReplaced(Connection connection, String table, List<Chunk> chunks) throws SQLException {
        try (PreparedStatement sql =
                connection.prepareStatement("delete from " + table + " where replica = ? and name = ?")) {
            for (Chunk chunk : chunks) {
                if (chunk.from() == 0) {
                    sql.setString(1, chunk.stream().replica());
                    sql.setString(2, chunk.stream().name());
                    sql.addBatch();
                }
            }
            sql.executeBatch();
        }
    }

    private void updateHeads(List<Chunk> chunks) throws SQLException {
        try (PreparedStatement sql =
                connection.prepareStatement("insert into stream (replica, name, generation, bytes) values (?, ?, ?, ?)"
                        + " on conflict (replica, name) do update set generation = excluded.generation,"
                        + " bytes = excluded.bytes, changed = excluded.changed")) {
            for (Chunk chunk : chunks) {
                sql.setString(1, chunk.stream().replica());
                sql.setString(2, chunk.stream().name());
                sql.setLong(3, chunk.generation());
                sql.setLong(4, chunk.to());
                sql.addBatch();
            }
            sql.executeBatch();
        }
    }

    private void insertPieces(List<Chunk> chunks) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(
                "insert into piece (replica, name, generation, position, bytes) values (?, ?, ?, ?, ?)")) {
            for (Chunk chunk : chunks) {
                addPieces(sql, chunk);
            }
            sql.executeBatch();
        }
    }

    /** Adds the bytes in pieces of whole lines. */
    private static void addPieces(PreparedStatement sql, Chunk chunk) throws SQLException {
        byte[] bytes = chunk.bytes();
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
