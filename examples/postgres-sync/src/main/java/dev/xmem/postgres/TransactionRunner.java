package dev.xmem.postgres;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs transactions on one connection. Each runs in its own thread, so that the time limit and an interrupt end the
 * call whatever the driver is blocked on: name resolution, a handshake, a lock, a silent server. After any error the
 * connection is dropped and the next call opens a new one. One caller at a time; with pooled connections, any number.
 */
final class TransactionRunner {
    private final Connector connector;
    private final String schema;
    /** Whether connections go back to a pool after each call. */
    private final boolean pooled;

    private volatile boolean migrated;
    private @Nullable TrackedConnection idle;

    private TransactionRunner(Connector connector, String schema, boolean pooled) {
        this.connector = connector;
        this.schema = schema;
        this.pooled = pooled;
    }

    /** One that keeps a connection of its own. */
    static TransactionRunner single(String url, Properties login, String schema) {
        return new TransactionRunner(() -> DriverManager.getConnection(url, login), schema, false);
    }

    /** One that takes a connection from a pool for each call. */
    static TransactionRunner pooled(DataSource pool, String schema) {
        return new TransactionRunner(pool::getConnection, schema, true);
    }

    private interface Connector {
        Connection connect() throws SQLException;
    }

    /** The body of a transaction. */
    interface Work<T> {
        T run(TrackedConnection session) throws SQLException, IOException;
    }

    /** Runs a read-write transaction at isolation level read committed. */
    <T> T write(Duration limit, Work<T> work) throws IOException {
        return call(limit, "set transaction isolation level read committed read write", work);
    }

    /** Runs a read-only transaction on one snapshot (repeatable read). */
    <T> T read(Duration limit, Work<T> work) throws IOException {
        return call(limit, "set transaction isolation level repeatable read read only", work);
    }

    private <T> T call(Duration limit, String mode, Work<T> work) throws IOException {
        Attempt<T> attempt = new Attempt<>(idle, limit, mode, work);
        idle = null; // with a pool it is always null
        FutureTask<T> task = new FutureTask<>(attempt::run);
        Thread thread = new Thread(task, "xmem-postgres");
        thread.setDaemon(true);
        thread.start();
        try {
            T done = task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (pooled) {
                attempt.giveBack();
            } else {
                idle = attempt.session;
            }
            return done;
        } catch (InterruptedException e) {
            attempt.abandon();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the PostgreSQL call was interrupted");
        } catch (TimeoutException e) {
            attempt.abandon();
            throw new IOException("PostgreSQL did not respond within " + limit.toMillis() + " ms");
        } catch (ExecutionException e) {
            attempt.abandon();
            throw failure(e.getCause());
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        String message = cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
        return cause instanceof IOException io ? io : new IOException("PostgreSQL: " + message, cause);
    }

    void close() {
        TrackedConnection open = idle;
        idle = null;
        if (open != null) {
            open.drop();
        }
    }

    /** One call and its connection, until it completes or is abandoned. */
    private final class Attempt<T> {
        private final Duration limit;
        private final String mode;
        private final Work<T> work;
        private volatile @Nullable TrackedConnection session;
        private volatile boolean abandoned;

        Attempt(@Nullable TrackedConnection session, Duration limit, String mode, Work<T> work) {
            this.session = session;
            this.limit = limit;
            this.mode = mode;
            this.work = work;
        }

        T run() throws SQLException, IOException {
            TrackedConnection open = session;
            if (open == null) {
                open = connect();
                session = open;
            }
            if (abandoned) {
                open.drop();
                throw new IOException("PostgreSQL responded after the time limit");
            }
            begin(open.connection(), mode);
            T done = work.run(open);
            open.connection().commit();
            return done;
        }

        private TrackedConnection connect() throws SQLException, IOException {
            Connection connection = connector.connect();
            try {
                connection.setAutoCommit(false);
                if (!pooled || !migrated) {
                    begin(connection, "set transaction isolation level read committed read write");
                    SchemaMigrations.apply(connection, schema);
                    connection.commit();
                    migrated = true;
                }
                return new TrackedConnection(connection);
            } catch (SQLException | IOException e) {
                connection.close();
                throw e;
            }
        }

        /**
         * Starts the transaction. The timeouts make the server end it after the limit even if this process is gone or
         * suspended: others may wait for its locks.
         */
        private void begin(Connection connection, String isolation) throws SQLException {
            long millis = Math.max(1, Math.min(Integer.MAX_VALUE, limit.toMillis()));
            try (Statement set = connection.createStatement()) {
                // One trip to the server; the name of the schema consists of letters, digits and underscores.
                set.execute(isolation + "; set local search_path to \"" + schema + "\"; set local statement_timeout to "
                        + millis + "; set local idle_in_transaction_session_timeout to " + millis);
            }
        }

        void giveBack() {
            TrackedConnection open = session;
            if (open != null) {
                open.giveBack();
            }
        }

        void abandon() {
            abandoned = true;
            TrackedConnection open = session;
            if (open != null) {
                open.drop();
            }
        }
    }
}
