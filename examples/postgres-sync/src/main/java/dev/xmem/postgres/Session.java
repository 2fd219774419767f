package dev.xmem.postgres;

import java.sql.Connection;
import java.sql.SQLException;

/** A connection, and what is known by it of where the streams end. */
final class Session {
    private final Connection connection;
    private final Tail tail = new Tail();

    Session(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    Tail tail() {
        return tail;
    }

    /** Ends it at once, whatever it is at; what was not committed is undone. */
    void drop() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // it is gone already
        }
    }
}
