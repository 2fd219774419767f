package dev.xmem.postgres;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One connection, and transactions on it. Each runs in a thread of its own, so that the limit and an interrupt end the call
 * whatever the driver waits for: a name, a handshake, a lock, a server that is silent. A connection that anything went wrong
 * on is dropped, and the next call opens another. One caller at a time.
 */
final class Database {
    private final String url;
    private final Properties login;
    private final String schema;
    private @Nullable Session idle;

    Database(String url, Properties login, String schema) {
        this.url = url;
        this.login = login;
        this.schema = schema;
    }

    /** What is done in one transaction. */
    interface Work<T> {
        T with(Session session) throws SQLException, IOException;
    }

    /** A transaction that sees what is committed, statement by statement, and changes it. */
    <T> T change(Duration limit, Work<T> work) throws IOException {
        return call(limit, "set transaction isolation level read committed read write", work);
    }

    /** A transaction that sees the database as it is at one moment. */
    <T> T look(Duration limit, Work<T> work) throws IOException {
        return call(limit, "set transaction isolation level repeatable read read only", work);
    }

    private <T> T call(Duration limit, String mode, Work<T> work) throws IOException {
        Attempt<T> attempt = new Attempt<>(idle, limit, mode, work);
        idle = null;
        FutureTask<T> task = new FutureTask<>(attempt::run);
        Thread thread = new Thread(task, "xmem-postgres");
        thread.setDaemon(true);
        thread.start();
        try {
            T done = task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            idle = attempt.session;
            return done;
        } catch (InterruptedException e) {
            attempt.abandon();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("PostgreSQL was interrupted");
        } catch (TimeoutException e) {
            attempt.abandon();
            throw new IOException("PostgreSQL took longer than " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            attempt.abandon();
            throw failure(e.getCause());
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        String said = cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
        return cause instanceof IOException io ? io : new IOException("PostgreSQL: " + said, cause);
    }

    void close() {
        Session open = idle;
        idle = null;
        if (open != null) {
            open.drop();
        }
    }

    /** One call: the connection that it works on, until it is abandoned. */
    private final class Attempt<T> {
        private final Duration limit;
        private final String mode;
        private final Work<T> work;
        private volatile @Nullable Session session;
        private volatile boolean abandoned;

        Attempt(@Nullable Session session, Duration limit, String mode, Work<T> work) {
            this.session = session;
            this.limit = limit;
            this.mode = mode;
            this.work = work;
        }

        T run() throws SQLException, IOException {
            Session open = session;
            if (open == null) {
                open = connect();
                session = open;
            }
            if (abandoned) {
                open.drop();
                throw new IOException("PostgreSQL answered too late");
            }
            begin(open.connection(), mode);
            T done = work.with(open);
            open.connection().commit();
            return done;
        }

        private Session connect() throws SQLException, IOException {
            Connection connection = DriverManager.getConnection(url, login);
            try {
                connection.setAutoCommit(false);
                begin(connection, "set transaction isolation level read committed read write");
                Migrations.apply(connection, schema);
                connection.commit();
                return new Session(connection);
            } catch (SQLException | IOException e) {
                connection.close();
                throw e;
            }
        }

        /** The server ends the transaction by itself when the limit is over, also where this process is gone. */
        private void begin(Connection connection, String isolation) throws SQLException {
            try (PreparedStatement set = connection.prepareStatement(isolation)) {
                set.execute();
            }
            try (PreparedStatement set = connection.prepareStatement(
                    "select set_config('search_path', ?, true), set_config('statement_timeout', ?, true)")) {
                set.setString(1, '"' + schema + '"');
                set.setString(2, String.valueOf(Math.max(1, Math.min(Integer.MAX_VALUE, limit.toMillis()))));
                set.execute();
            }
        }

        void abandon() {
            abandoned = true;
            Session open = session;
            if (open != null) {
                open.drop();
            }
        }
    }
}
