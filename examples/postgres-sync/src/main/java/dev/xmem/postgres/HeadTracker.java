package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend.Head;
import dev.xmem.spi.SyncBackend.Stream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tracks the heads of all streams incrementally. Polling by time or by sequence number would skip changes, because
 * transactions do not commit in the order in which they begin. Each row has the id of the transaction that wrote it
 * ({@code changed}), and a snapshot has the oldest transaction id that is still running ({@code pg_snapshot_xmin}):
 * every transaction below it has ended, and its effects were visible in that snapshot. Each poll therefore starts at
 * the oldest running id of the previous poll. Rows that are read twice are identical.
 *
 * <p>Valid for one connection only: a restored database starts its transaction ids again and closes all connections.
 */
final class HeadTracker {
    private final Map<Stream, Head> heads =
            new TreeMap<>(Comparator.comparing(Stream::replica).thenComparing(Stream::name));
    private String from = "0";
    private int invalidRows;

    /**
     * Reads the changes since the previous poll; requires a transaction with a single snapshot.
     *
     * @return the heads of all streams
     */
    Map<Stream, Head> poll(Connection connection) throws SQLException {
        String oldestRunning;
        try (PreparedStatement snapshot =
                        connection.prepareStatement("select pg_snapshot_xmin(pg_current_snapshot())::text");
                ResultSet answer = snapshot.executeQuery()) {
            answer.next();
            oldestRunning = answer.getString(1);
        }
        try (PreparedStatement changed = connection.prepareStatement(
                "select replica, name, generation, bytes from stream where changed >= ?::text::xid8")) {
            changed.setString(1, from);
            try (ResultSet row = changed.executeQuery()) {
                while (row.next()) {
                    put(row);
                }
            }
        }
        from = oldestRunning;
        return heads;
    }

    /** The heads of the streams of one replica. */
    static Map<Stream, Head> of(Connection connection, String replica) throws SQLException {
        HeadTracker own = new HeadTracker();
        try (PreparedStatement sql =
                connection.prepareStatement("select replica, name, generation, bytes from stream where replica = ?")) {
            sql.setString(1, replica);
            try (ResultSet row = sql.executeQuery()) {
                while (row.next()) {
                    own.put(row);
                }
            }
        }
        return own.heads;
    }

    /** The number of rows with names or numbers that no stream can have. */
    int invalidRows() {
        return invalidRows;
    }

    private void put(ResultSet row) throws SQLException {
        try {
            heads.put(new Stream(row.getString(1), row.getString(2)), new Head(row.getLong(3), row.getLong(4)));
        } catch (IllegalArgumentException e) {
            invalidRows++;
        }
    }
}
