package dev.xmem.postgres;

import com.zaxxer.hikari.HikariConfig;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sync through a PostgreSQL database, version 13 or later, for fleets that outgrow git. It creates and migrates its own
 * schema: {@code stream} has the head of each stream, {@code piece} its bytes. A publication is one transaction.
 * Polling follows transaction ids, so that no change is skipped in whatever order transactions commit ({@link
 * HeadTracker}).
 *
 * <p>Any client with write access to the schema can write the streams of any replica: restrict it with database roles.
 * Not thread-safe; the sync worker of the store is the only caller.
 */
public final class PostgresSyncBackend implements SyncBackend {
    private final TransactionRunner transactions;
    /** Writes the publications of all stores of a shared memory. Then only the streams of the store itself are read. */
    private final @Nullable GroupCommit group;

    private @Nullable String replica;
    /** Whether the last publication was refused, so that the store asks what is here. */
    private boolean readsBack;

    private PostgresSyncBackend(TransactionRunner transactions, @Nullable GroupCommit group) {
        this.transactions = transactions;
        this.group = group;
    }

    /** A backend that publishes with others; it reads its own streams after a refusal, and no others. */
    static PostgresSyncBackend publisher(TransactionRunner pooled, GroupCommit group) {
        return new PostgresSyncBackend(pooled, group);
    }

    /**
     * Creates a builder for a database.
     *
     * @param jdbcUrl such as {@code jdbc:postgresql://db.example.org/memory?sslmode=verify-full}
     * @throws IllegalArgumentException if the URL is not a PostgreSQL URL or contains a password
     */
    public static Builder of(String jdbcUrl) {
        return new Builder(jdbcUrl);
    }

    /** Builds a backend. Not thread-safe. */
    public static final class Builder {
        private final String url;
        private final Properties login = new Properties();
        private String schema = "xmem";

        private Builder(String url) {
            if (!url.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException("a JDBC URL must begin with jdbc:postgresql:");
            }
            String lower = url.toLowerCase(Locale.ROOT);
            if (lower.matches(".*[?&](ssl)?password=.*") || lower.matches("jdbc:postgresql://[^/?@]*:[^/?@]*@.*")) {
                throw new IllegalArgumentException("the URL contains a password; pass it to credentials() instead");
            }
            this.url = url;
            login.setProperty("ApplicationName", "xmem");
            login.setProperty("tcpKeepAlive", "true");
            login.setProperty("logServerErrorDetail", "false"); // details have the lines of a publication
        }

        /**
         * User and password, kept in memory only. Default: what the driver finds in the URL or in {@code ~/.pgpass}.
         *
         * @param password null if the server requires none
         */
        public Builder credentials(String user, @Nullable String password) {
            login.setProperty("user", user);
            if (password != null) {
                login.setProperty("password", password);
            }
            return this;
        }

        /**
         * The schema of the tables; created if it does not exist. Default {@code xmem}.
         *
         * @param name a lower-case letter followed by lower-case letters, digits and underscores; 63 characters at most
         */
        public Builder schema(String name) {
            if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
                throw new IllegalArgumentException(
                        "a schema name must consist of lower-case letters, digits and underscores");
            }
            this.schema = name;
            return this;
        }

        /** Requires TLS, and that the server has a certificate of this authority for its name; a file in PEM form. */
        public Builder tls(Path authority) {
            login.setProperty("sslmode", "verify-full");
            login.setProperty("sslrootcert", authority.toString());
            return this;
        }

        /**
         * The memory of a fleet: stores publish here and ask for families. Connects on first use; at most
         * {@code connections} at a time for all stores that share the object, and none while they are idle.
         *
         * @param connections from 1 to 64; 4 suffice for hundreds of stores
         * @param refresh how often the families that are known are read; 3 seconds are usual
         */
        public PostgresSharedMemory sharedMemory(int connections, Duration refresh) {
            if (connections < 1 || connections > 64 || refresh.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "connections must be from 1 to 64, and refresh a millisecond or more");
            }
            HikariConfig pool = new HikariConfig();
            pool.setJdbcUrl(url);
            pool.setPoolName("xmem");
            login.stringPropertyNames().forEach(name -> {
                if (!name.equals("user") && !name.equals("password")) {
                    pool.addDataSourceProperty(name, login.getProperty(name));
                }
            });
            pool.addDataSourceProperty("connectTimeout", "3");
            pool.addDataSourceProperty("socketTimeout", "30");
            if (login.getProperty("user") != null) {
                pool.setUsername(login.getProperty("user"));
            }
            if (login.getProperty("password") != null) {
                pool.setPassword(login.getProperty("password"));
            }
            pool.setSchema(schema);
            pool.setMaximumPoolSize(connections);
            pool.setMinimumIdle(0);
            pool.setIdleTimeout(30_000);
            pool.setConnectionTimeout(2_000);
            pool.setInitializationFailTimeout(-1);
            return new PostgresSharedMemory(pool, schema, refresh);
        }

        /** Creates the backend. It connects on first use. */
        public PostgresSyncBackend build() {
            Properties copy = new Properties();
            copy.putAll(login);
            return new PostgresSyncBackend(TransactionRunner.single(url, copy, schema), null);
        }
    }

    @Override
    public String id() {
        return "postgresql";
    }

    @Override
    public Set<Ability> abilities() {
        return group == null
                ? Set.of(Ability.ERASE, Ability.RETIRE)
                : Set.of(Ability.ERASE, Ability.RETIRE, Ability.WRITE_ONLY, Ability.GROUP_COMMIT);
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        replica = own.replica();
        Ack ack = group != null
                ? group.publish(own, limit)
                : transactions.write(limit, session -> new ChunkWriter(session.connection()).publish(own));
        readsBack = !ack.isAccepted();
        return ack;
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        if (group != null && !readsBack) {
            return Batch.of(List.of(), List.of(), false);
        }
        return transactions.read(limit, session -> read(session, known, maxBytes));
    }

    private Map<Stream, Head> heads(TrackedConnection session) throws SQLException {
        if (group == null) {
            return session.heads().poll(session.connection());
        }
        String own = replica;
        return own == null ? Map.of() : HeadTracker.of(session.connection(), own);
    }

    private Batch read(TrackedConnection session, Map<Stream, Head> known, long maxBytes) throws SQLException {
        Connection connection = session.connection();
        List<Chunk> chunks = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        ChunkReader reader = new ChunkReader(connection);
        long left = maxBytes;
        boolean more = false;
        for (Map.Entry<Stream, Head> end : heads(session).entrySet()) {
            Stream stream = end.getKey();
            if (left <= 0) {
                more = true;
                break;
            }
            try {
                Chunk chunk = reader.after(stream, end.getValue(), known.getOrDefault(stream, Head.NONE), left);
                if (chunk != null) {
                    chunks.add(chunk);
                    left -= chunk.bytes().length;
                    more |= chunk.to() < end.getValue().position();
                }
            } catch (IOException e) {
                refused.add(stream.replica().substring(0, 8) + "/" + stream.name() + " " + e.getMessage());
            }
        }
        if (session.heads().invalidRows() > 0) {
            refused.add("invalid rows in the table stream: " + session.heads().invalidRows());
        }
        return Batch.of(chunks, refused, more);
    }

    @Override
    public void retire(String replica, Duration limit) throws IOException {
        String owner = new Stream(replica, "notes").replica();
        transactions.<Void>write(limit, session -> {
            new ChunkWriter(session.connection()).retire(owner);
            return null;
        });
    }

    @Override
    public void close() {
        transactions.close();
    }
}
