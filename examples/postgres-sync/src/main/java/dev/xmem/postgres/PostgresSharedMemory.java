package dev.xmem.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.xmem.spi.SharedMemory;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a fleet in a PostgreSQL database: each store publishes its own logs in batches ({@link #publisher}),
 * and asks for single families ({@link #lookup}). No store reads another's logs. A Bloom filter of all families, which
 * a thread keeps up to date, answers for what no one knows; a family that another store published is asked for some
 * seconds later.
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

    private final HikariDataSource connections;
    private final String schema;
    private final Duration refresh;
    private final LongAdder queries = new LongAdder();
    private final LongAdder received = new LongAdder();
    private final AtomicBoolean started = new AtomicBoolean();
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
    }

    /** A backend that publishes the logs of one store here and imports nothing. */
    public SyncBackend publisher() {
        return PostgresSyncBackend.publisher(connections, schema);
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
        List<byte[]> lines = new ArrayList<>();
        try (Connection connection = connection();
                PreparedStatement sql = connection.prepareStatement(BEST)) {
            sql.setString(1, contextHash);
            sql.setString(2, contextHash);
            try (ResultSet row = sql.executeQuery()) {
                while (row.next()) {
                    byte[] line = row.getBytes(1);
                    received.add(line.length);
                    lines.add(line);
                }
            }
            return lines;
        } catch (SQLException | RuntimeException e) {
            throw failed(e);
        }
    }

    private Connection connection() throws SQLException {
        queries.increment();
        Connection connection = connections.getConnection();
        connection.setAutoCommit(true);
        return connection;
    }

    private IOException failed(Exception e) {
        String said = e instanceof PoolInitializationException || e.getMessage() == null
                ? "no connection"
                : e.getMessage().lines().findFirst().orElse("");
        problem = "PostgreSQL does not answer: " + said;
        return new IOException(problem, e);
    }

    /** Reads the families that were added since the last time; all of them if the database was restored. */
    private void refresh() {
        try (Connection connection = connection();
                PreparedStatement sql = connection.prepareStatement(NEW_FAMILIES)) {
            FamilyFilter known = families;
            boolean all = known == null || known.isFull();
            Long[] keys = ask(sql, all ? "0" : from);
            if (!all && isRestored) {
                all = true;
                keys = ask(sql, "0");
            }
            if (all || known == null) {
                known = new FamilyFilter(keys.length * 2);
            }
            for (long key : keys) {
                if (!known.mayHave(key)) {
                    known.add(key);
                }
            }
            families = known;
            problem = null;
        } catch (SQLException | RuntimeException e) {
            failed(e);
        }
    }

    private boolean isRestored;

    private Long[] ask(PreparedStatement sql, String since) throws SQLException {
        sql.setString(1, since);
        try (ResultSet row = sql.executeQuery()) {
            row.next();
            String now = row.getString(1);
            // Transaction ids of a restored database begin again; they are unsigned.
            isRestored = Long.compareUnsigned(Long.parseUnsignedLong(now), Long.parseUnsignedLong(from)) < 0;
            from = now;
            Long[] keys = (Long[]) row.getArray(2).getArray();
            received.add(8L * keys.length);
            return keys;
        }
    }

    /** How many queries this object made, those of its publishers excepted. */
    public long queries() {
        return queries.sum();
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
        connections.close();
    }
}
