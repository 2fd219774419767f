package dev.xmem.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.xmem.spi.SharedMemory;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a fleet in a PostgreSQL database: each store publishes its own logs ({@link #publisher}), together with
 * the other stores of its process, and asks for single families ({@link #lookup}). No store reads another's logs. A
 * Bloom filter of all families, which a thread keeps up to date, answers for what no one knows; a family that another
 * process published is asked for after the next refresh.
 *
 * <p>After an error no recall asks until the thread has reached the database again. Thread-safe; the stores of a
 * process share one object and its connections. Decision: docs/adr/0082-shared-memory.md.
 */
public final class PostgresSharedMemory implements SharedMemory {
    private static final String BEST_OF = "(select line, row_number() over (order by advises desc, at desc) as place"
            + " from lesson where family = ? and name = '%s' order by advises desc, at desc limit 8)";
    private static final String BEST =
            BEST_OF.formatted("failures") + " union all " + BEST_OF.formatted("successes") + " order by place";
    private static final String NEW_FAMILIES = "select pg_snapshot_xmin(pg_current_snapshot())::text,"
            + " array(select key from family where first >= ?::text::xid8)";

    private static final Duration REFRESH_LIMIT = Duration.ofSeconds(10);
    private static final int IDLE_SECONDS = 30;

    private final HikariDataSource connections;
    private final String schema;
    private final Duration refresh;
    private final LongAdder queries = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final AtomicBoolean started = new AtomicBoolean();
    private final TransactionRunner transactions;
    private final GroupCommit group;
    private final ThreadPoolExecutor asking;
    private final ScheduledExecutorService refresher = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "xmem-families");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable FamilyFilter families;
    private volatile @Nullable String problem;
    private String from = "0";

    PostgresSharedMemory(HikariConfig config, String schema, Duration refresh) {
        this.connections = new HikariDataSource(config);
        this.schema = schema;
        this.refresh = refresh;
        this.transactions = TransactionRunner.pooled(connections, schema);
        this.group = new GroupCommit(transactions, this::add, GroupCommit.GATHER);
        int threads = config.getMaximumPoolSize();
        this.asking = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "xmem-lookup");
                    thread.setDaemon(true);
                    return thread;
                });
        asking.allowCoreThreadTimeOut(true);
    }

    /** A backend that publishes the logs of one store here and imports nothing. */
    public SyncBackend publisher() {
        return PostgresSyncBackend.publisher(transactions, group);
    }

    /**
     * Creates or updates the schema, as its owner. The first store that publishes does so, too, where its role may.
     *
     * @throws IOException if the database does not answer, or refuses
     */
    public void migrate() throws IOException {
        try (Connection connection = connections.getConnection()) {
            connection.setAutoCommit(false);
            SchemaMigrations.apply(connection, schema);
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            throw failed(e);
        }
    }

    @Override
    public String id() {
        return "postgresql/" + schema;
    }

    @Override
    public boolean mayKnow(String contextHash) {
        if (started.compareAndSet(false, true)) {
            refresher.scheduleWithFixedDelay(this::refresh, 0, refresh.toMillis(), TimeUnit.MILLISECONDS);
        }
        FamilyFilter known = families;
        return problem == null && (known == null || known.mayHave(FamilyFilter.key(contextHash)));
    }

    @Override
    public List<byte[]> lookup(String contextHash, Duration limit) throws IOException {
        try {
            return within(limit, connection -> {
                try (PreparedStatement sql = connection.prepareStatement(BEST)) {
                    sql.setString(1, contextHash);
                    sql.setString(2, contextHash);
                    return lines(sql);
                }
            });
        } catch (SQLException | RuntimeException e) {
            throw failed(e);
        }
    }

    private List<byte[]> lines(PreparedStatement sql) throws SQLException {
        List<byte[]> lines = new ArrayList<>();
        try (ResultSet row = sql.executeQuery()) {
            while (row.next()) {
                byte[] line = row.getBytes(1);
                received.add(line.length);
                lines.add(line);
            }
        }
        return lines;
    }

    /** What is done on a connection. */
    private interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /**
     * Runs a query in a thread of its own, and ends it after the limit, whatever it waits for: a connection of the
     * pool, or a server that does not answer, whose connection is then closed and not given back.
     */
    private <T> T within(Duration limit, Work<T> work) throws SQLException, InterruptedIOException {
        AtomicReference<@Nullable Connection> used = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        queries.increment();
        Future<T> task = asking.submit(() -> {
            try (Connection connection = connections.getConnection()) {
                used.set(connection);
                if (over.get()) {
                    throw new SQLException("the time limit is over");
                }
                connection.setAutoCommit(true);
                return work.run(connection);
            }
        });
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e.getCause());
        } catch (TimeoutException e) {
            throw new SQLException("no response within " + limit.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the query was interrupted");
        } finally {
            over.set(true);
            Connection connection = task.isDone() ? null : used.get();
            task.cancel(true);
            if (connection != null) {
                connection.abort(Runnable::run);
            }
        }
    }

    private IOException failed(Exception e) {
        String said = "no connection";
        // The pool wraps what the driver says.
        Throwable cause = e;
        for (int depth = 0; cause != null && depth < 8; depth++) {
            boolean driver = cause instanceof SQLException && cause.getMessage() != null;
            said = driver ? cause.getMessage().lines().findFirst().orElse("") : said;
            cause = cause.getCause();
        }
        problem = "PostgreSQL does not answer: " + said;
        return new IOException(problem, e);
    }

    /** Reads the families that were added since the last time; all of them if the database was restored. */
    private void refresh() {
        try {
            FamilyFilter known = families;
            boolean all = known == null || known.isFull();
            Added added = added(all ? "0" : from);
            // Transaction ids of a restored database begin again; they are unsigned.
            if (!all && Long.compareUnsigned(Long.parseUnsignedLong(added.now), Long.parseUnsignedLong(from)) < 0) {
                all = true;
                added = added("0");
            }
            if (all || known == null) {
                known = new FamilyFilter(added.keys.length * 2);
            }
            known.add(List.of(added.keys));
            from = added.now;
            families = known;
            problem = null;
        } catch (SQLException | InterruptedIOException | RuntimeException e) {
            failed(e);
        }
    }

    /** Adds families that a store of this process published: the others of the process need not wait for a refresh. */
    private void add(Set<Long> keys) {
        FamilyFilter known = families;
        if (known != null) {
            known.add(keys);
        }
    }

    /** The keys of the families that transactions added, and the first transaction that the next query must read. */
    private record Added(String now, Long[] keys) {}

    private Added added(String since) throws SQLException, InterruptedIOException {
        return within(REFRESH_LIMIT, connection -> {
            try (PreparedStatement sql = connection.prepareStatement(NEW_FAMILIES)) {
                sql.setString(1, since);
                try (ResultSet row = sql.executeQuery()) {
                    row.next();
                    Long[] keys = (Long[]) row.getArray(2).getArray();
                    received.add(8L * keys.length);
                    return new Added(row.getString(1), keys);
                }
            }
        });
    }

    /** How many queries this object made, those of its publishers excepted. */
    public long queries() {
        return queries.sum();
    }

    /** How many publications of this process wait for a transaction. */
    int waitingPublications() {
        return group.waiting();
    }

    /** How many bytes of lines and keys it received. */
    public long bytesReceived() {
        return received.sum();
    }

    @Override
    public @Nullable String problem() {
        return problem;
    }

    @Override
    public void close() {
        refresher.shutdownNow();
        asking.shutdownNow();
        group.close();
        connections.close();
    }
}
