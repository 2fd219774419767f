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
 * Where all streams end, followed as it changes. Neither a time nor a sequence can be followed: transactions are not
 * committed in the order in which they began, so one that is still open would be passed over and never be looked for again.
 * What can is the transaction's number, with the least one that a snapshot shows as running: all below it had ended by then,
 * and what they did was in that snapshot. So each look begins at that number of the look before; what is seen twice is the
 * same.
 *
 * <p>Only valid for one connection: a database that is restored counts its transactions anew, and ends all of them.
 */
final class Tail {
    private final Map<Stream, Head> heads =
            new TreeMap<>(Comparator.comparing(Stream::replica).thenComparing(Stream::name));
    private String from = "0";
    private int strange;

    /** Looks what has changed; within a transaction of one snapshot. */
    Map<Stream, Head> heads(Connection connection) throws SQLException {
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

    /** How many rows had names or figures that no stream can have. */
    int strange() {
        return strange;
    }

    private void put(ResultSet row) throws SQLException {
        try {
            heads.put(new Stream(row.getString(1), row.getString(2)), new Head(row.getLong(3), row.getLong(4)));
        } catch (IllegalArgumentException e) {
            strange++;
        }
    }
}
