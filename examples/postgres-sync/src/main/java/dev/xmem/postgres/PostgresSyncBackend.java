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
 * Sync through a PostgreSQL database, 13 or later, for fleets that outgrow git. Tables of a schema of its own, which it
 * makes and migrates: {@code stream} says where each stream ends, {@code piece} holds the bytes. A publication is one
 * transaction; polling follows the numbers of transactions, so that nothing is skipped in whichever order they are
 * committed ({@link Tail}).
 *
 * <p>Whoever may write to the schema may write any replica's streams: the database's roles are the guard of that. Not
 * thread-safe; the store's sync worker is its only caller.
 */
public final class PostgresSyncBackend implements SyncBackend {
    private final Database database;

    private PostgresSyncBackend(Database database) {
        this.database = database;
    }

    /**
     * A backend on a database.
     *
     * @param jdbcUrl such as {@code jdbc:postgresql://db.example.org/memory?sslmode=verify-full}
     * @throws IllegalArgumentException if it is no such URL, or has a password in it
     */
    public static Builder of(String jdbcUrl) {
        return new Builder(jdbcUrl);
    }

    /** Sets a backend up. Not thread-safe. */
    public static final class Builder {
        private final String url;
        private final Properties login = new Properties();
        private String schema = "xmem";

        private Builder(String url) {
            if (!url.startsWith("jdbc:postgresql:")) {
                throw new IllegalArgumentException("a JDBC URL begins with jdbc:postgresql:");
            }
            String lower = url.toLowerCase(Locale.ROOT);
            if (lower.matches(".*[?&](ssl)?password=.*") || lower.matches("jdbc:postgresql://[^/?@]*:[^/?@]*@.*")) {
                throw new IllegalArgumentException("the URL holds a password; give it to credentials() instead");
            }
            this.url = url;
            login.setProperty("ApplicationName", "xmem");
            login.setProperty("tcpKeepAlive", "true");
        }

        /**
         * User and password. Kept in memory only. Default: what the driver knows, from the URL or {@code ~/.pgpass}.
         *
         * @param password null where the server asks for none
         */
        public Builder credentials(String user, @Nullable String password) {
            login.setProperty("user", user);
            if (password != null) {
                login.setProperty("password", password);
            }
            return this;
        }

        /**
         * The schema of the tables; it is made where there is none. Default {@code xmem}.
         *
         * @param name lower-case letters, digits and underscores, a letter first; 63 characters at most
         */
        public Builder schema(String name) {
            if (!name.matches("[a-z][a-z0-9_]{0,62}")) {
                throw new IllegalArgumentException("a schema is called by lower-case letters, digits and underscores");
            }
            this.schema = name;
            return this;
        }

        /** The backend. It connects when it is first used. */
        public PostgresSyncBackend build() {
            Properties copy = new Properties();
            copy.putAll(login);
            return new PostgresSyncBackend(new Database(url, copy, schema));
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
        return database.change(limit, session -> new Publishing(session.connection()).put(own));
    }

    @Override
    public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
        return database.look(limit, session -> read(session.connection(), session.tail(), known, maxBytes));
    }

    private static Batch read(Connection connection, Tail tail, Map<Stream, Head> known, long maxBytes)
            throws SQLException {
        List<Chunk> chunks = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        Reading reading = new Reading(connection);
        long left = maxBytes;
        boolean more = false;
        for (Map.Entry<Stream, Head> end : tail.heads(connection).entrySet()) {
            Stream stream = end.getKey();
            if (left <= 0) {
                more = true;
                break;
            }
            try {
                Chunk chunk = reading.after(stream, end.getValue(), known.getOrDefault(stream, Head.NONE), left);
                if (chunk != null) {
                    chunks.add(chunk);
                    left -= chunk.bytes().length;
                    more |= chunk.to() < end.getValue().position();
                }
            } catch (IOException e) {
                refused.add(stream.replica().substring(0, 8) + "/" + stream.name() + " " + e.getMessage());
            }
        }
        if (tail.strange() > 0) {
            refused.add("rows of the table stream without a replica: " + tail.strange());
        }
        return Batch.of(chunks, refused, more);
    }

    @Override
    public void retire(String replica, Duration limit) throws IOException {
        String owner = new Stream(replica, "notes").replica();
        database.<Void>change(limit, session -> {
            new Publishing(session.connection()).retire(owner);
            return null;
        });
    }

    @Override
    public void close() {
        database.close();
    }
}
