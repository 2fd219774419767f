package dev.xmem.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** A connection and the stream heads that were polled on it. */
final class TrackedConnection {
    private final Connection connection;
    private final HeadTracker heads = new HeadTracker();

    TrackedConnection(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    HeadTracker heads() {
        return heads;
    }

    /** Returns the connection to its pool. */
    void giveBack() {
        try {
            connection.close();
        } catch (SQLException e) {
            // the pool drops it
        }
    }

    /** Aborts the connection at once; an uncommitted transaction is rolled back. */
    void drop() {
        try {
            connection.abort(Runnable::run);
            connection.close();
        } catch (SQLException e) {
            // already closed
        }
    }
}
