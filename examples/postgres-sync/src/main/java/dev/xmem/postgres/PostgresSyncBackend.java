package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend;
import java.io.IOException;
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

    private PostgresSyncBackend(TransactionRunner transactions) {
        this.transactions = transactions;
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

        /** Creates the backend. It connects on first use. */
        public PostgresSyncBackend build() {
            Properties copy = new Properties();
            copy.putAll(login);
            return new PostgresSyncBackend(new TransactionRunner(url, copy, schema));
        }
    }

    @Override
    public String id() {
        return "postgresql";
    }

    @Override
    public Set<Ability> abilities() {
        return Set.of(Ability.ERASE, Ability.RETIRE);
    }

    @Override
    public Ack publish(Publication own, Duration limit) throws IOException {
        return transactions.write(limit, session -> new ChunkWriter(session.connection()).publish(own));
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        return transactions.read(limit, session -> read(session.connection(), session.heads(), known, maxBytes));
    }

    private static Batch read(Connection connection, HeadTracker heads, Map<Stream, Head> known, long maxBytes)
            throws SQLException {
        List<Chunk> chunks = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        ChunkReader reader = new ChunkReader(connection);
        long left = maxBytes;
        boolean more = false;
        for (Map.Entry<Stream, Head> end : heads.poll(connection).entrySet()) {
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
        if (heads.invalidRows() > 0) {
            refused.add("invalid rows in the table stream: " + heads.invalidRows());
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
