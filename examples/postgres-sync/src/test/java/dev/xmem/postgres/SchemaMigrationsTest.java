package dev.xmem.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class SchemaMigrationsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Stream STREAM = new Stream("a".repeat(32), "failures");

    private final String schema = Server.schema();

    private List<String> versions() throws SQLException {
        List<String> versions = new ArrayList<>();
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("select version from migration order by version")) {
            while (row.next()) {
                versions.add(row.getString(1));
            }
        }
        return versions;
    }

    private static Publication publication(long from) {
        Chunk chunk = Chunk.of(STREAM, 1, from, "{}\n".getBytes(StandardCharsets.UTF_8));
        return Publication.of(STREAM.replica(), List.of(chunk), "x");
    }

    @Test
    void apply_twice_secondDoesNothing() throws Exception {
        for (int again = 0; again < 2; again++) {
            try (PostgresSyncBackend backend = Server.backend(schema)) {
                assertThat(backend.poll(Map.of(), 100, LIMIT).chunks()).isEmpty();
            }
        }
        assertThat(versions()).containsExactly("1", "2", "3");
    }

    @Test
    void apply_earlierVersionWithLines_keepsThem() throws Exception {
        try (Connection connection = Server.connection(schema)) {
            SchemaMigrations.apply(connection, schema, 1);
            try (Statement sql = connection.createStatement()) {
                String of = "('" + STREAM.replica() + "', '" + STREAM.name() + "', 1, ";
                String line = "{\"ctx_hash\":\"a-b\"}\n";
                sql.execute("insert into replica (id) values ('" + STREAM.replica() + "')");
                sql.execute("insert into stream (replica, name, generation, bytes) values " + of + line.length() + ")");
                sql.execute("insert into piece values " + of + "0, convert_to('" + line + "', 'UTF8'))");
            }
            connection.commit();
        }
        assertThat(versions()).containsExactly("1");
        try (PostgresSyncBackend backend = Server.backend(schema)) {
            assertThat(backend.poll(Map.of(), 100, LIMIT).chunks()).hasSize(1);
            assertThat(backend.publish(publication(19), LIMIT).isAccepted()).isTrue();
        }
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("select count(*) from lesson where family = 'a-b'")) {
            row.next();
            assertThat(row.getInt(1)).as("lines of before are lessons, too").isEqualTo(1);
        }
        assertThat(versions()).containsExactly("1", "2", "3");
    }

    @Test
    void apply_concurrently_appliesEachVersionOnce() throws Exception {
        int programs = 8;
        CyclicBarrier together = new CyclicBarrier(programs);
        ExecutorService threads = Executors.newFixedThreadPool(programs);
        try {
            List<Callable<Integer>> work = new ArrayList<>();
            for (int i = 0; i < programs; i++) {
                work.add(() -> {
                    try (PostgresSyncBackend backend = Server.backend(schema)) {
                        together.await();
                        return backend.poll(Map.of(), 100, LIMIT).chunks().size();
                    }
                });
            }
            for (Future<Integer> done : threads.invokeAll(work)) {
                assertThat(done.get()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(versions()).containsExactly("1", "2", "3");
    }

    @Test
    void apply_laterVersion_isRefused() throws Exception {
        try (PostgresSyncBackend backend = Server.backend(schema)) {
            backend.poll(Map.of(), 100, LIMIT);
        }
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement()) {
            sql.execute("insert into migration (version) values (99)");
            connection.commit();
        }
        try (PostgresSyncBackend backend = Server.backend(schema)) {
            assertThatThrownBy(() -> backend.publish(publication(0), LIMIT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("version 99")
                    .hasMessageContaining("use a later release");
        }
    }
}
