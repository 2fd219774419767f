package dev.xmem.postgres;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server for all tests, stopped with the JVM; each test has its own schema. */
final class Server {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private Server() {}

    private static final class Running {
        private static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "off")
                        .setServerConfig("synchronous_commit", "off")
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static String url() {
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        boolean mac = System.getProperty("os.name").startsWith("Mac");
        assumeTrue(mac || List.of("amd64", "x86_64").contains(arch), "there is no embedded PostgreSQL for " + arch);
        return Running.SERVER.getJdbcUrl("postgres", "postgres");
    }

    /** A schema name that no other test uses. */
    static String schema() {
        return "test_" + SCHEMAS.incrementAndGet();
    }

    static PostgresSyncBackend backend(String schema) {
        return PostgresSyncBackend.of(url().replaceAll("\\?.*", ""))
                .credentials("postgres", "postgres")
                .schema(schema)
                .build();
    }

    /** A connection with the schema first in its search path, in a transaction. */
    static Connection connection(String schema) throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        try (Statement sql = connection.createStatement()) {
            sql.execute("set search_path to \"" + schema + "\"");
        }
        connection.setAutoCommit(false);
        return connection;
    }
}
