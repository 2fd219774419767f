package dev.xmem.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.spi.SyncBackend.Batch;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example's scenario, and failures of the database, its clients and its network. */
class PostgresSyncTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String REPLICA = "a".repeat(32);

    private final String schema = Server.schema();

    private static Publication publication(long generation, long from, String line) {
        Chunk chunk =
                Chunk.of(new Stream(REPLICA, "failures"), generation, from, line.getBytes(StandardCharsets.UTF_8));
        return Publication.of(REPLICA, List.of(chunk), "x");
    }

    private void execute(String... statements) throws Exception {
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                sql.execute(statement);
            }
            connection.commit();
        }
    }

    @Test
    void run_twoStoresAndOneDatabase_secondGetsAdvice(@TempDir Path folder) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream text = new PrintStream(out, true, StandardCharsets.UTF_8);
        boolean told = PostgresSync.run(folder, () -> Server.backend(schema), text);
        System.out.print(out.toString(StandardCharsets.UTF_8));
        assertThat(told).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("ben got the advice", "python3 -m venv");
    }

    @Test
    void start_urlThatCannotBeUsed_isSaidBeforeAnythingElse() throws IOException {
        for (String url : List.of(
                "jdbc:mysql://h/d",
                "jdbc:postgresql://u:S3cret@127.0.0.1/d",
                "jdbc:postgresql://127.0.0.1:1/d",
                "jdbc:postgresql:nothing:like:it")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            PrintStream text = new PrintStream(out, true, StandardCharsets.UTF_8);

            assertThat(PostgresSync.start(new String[] {url}, Map.of(), text)).isPositive();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .as(url)
                    .matches("(?s)The (URL|database) cannot be used: [^\\n]+\\n")
                    .doesNotContain("S3cret");
        }
    }

    @Test
    void of_invalidUrlOrPassword_refused() {
        for (String wrong : List.of(
                "jdbc:mysql://h/d",
                "postgresql://h/d",
                "jdbc:postgresql://h/d?user=a&password=b",
                "jdbc:postgresql://a:b@h/d")) {
            assertThatIllegalArgumentException().isThrownBy(() -> PostgresSyncBackend.of(wrong));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> PostgresSyncBackend.of("jdbc:postgresql://h/d").schema("a\"; drop"));
    }

    @Test
    void poll_invalidRows_areRefusedAndTheRestIsRead() throws Exception {
        try (PostgresSyncBackend backend = Server.backend(schema)) {
            backend.publish(publication(1, 0, "{\"good\":1}\n"), LIMIT);
            String gap = "b".repeat(32);
            execute(
                    "insert into replica (id) values ('" + gap + "')",
                    "insert into stream (replica, name, generation, bytes) values ('" + gap + "', 'failures', 1, 900)",
                    "insert into piece values ('" + gap + "', 'failures', 1, 5, '{}')",
                    "insert into stream (replica, name, generation, bytes) values ('" + gap + "', 'successes', 1, 9)",
                    "insert into stream (replica, name, generation, bytes) values ('" + gap
                            + "', 'notes', 1, 70000000)",
                    "insert into piece values ('" + gap
                            + "', 'notes', 1, 0, convert_to(repeat('x', 70000000), 'UTF8'))",
                    "insert into stream (replica, name, generation, bytes) values ('" + gap + "', '../x', 1, 900)");
            Batch batch = backend.poll(Map.of(), 1 << 20, LIMIT);
            assertThat(batch.chunks()).hasSize(1);
            assertThat(batch.chunks().get(0).stream().replica()).isEqualTo(REPLICA);
            assertThat(batch.more()).isFalse();
            assertThat(String.join("\n", batch.refused()))
                    .contains("bbbbbbbb/failures has a gap at byte 0", "bbbbbbbb/notes has a piece of more than")
                    .contains("invalid rows in the table stream: 1");
        }
    }

    @Test
    void publish_higherGeneration_deletesOldRows() throws Exception {
        try (PostgresSyncBackend backend = Server.backend(schema)) {
            backend.publish(publication(1, 0, "{\"secret\":\"Rumpelstilzchen\"}\n"), LIMIT);
            backend.publish(publication(2, 0, "{}\n"), LIMIT);
        }
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement();
                var row = sql.executeQuery("select count(*), sum(octet_length(bytes)) from piece")) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(1);
            assertThat(row.getInt(2)).isEqualTo(3);
        }
    }

    @Test
    @Timeout(60)
    void publish_rowLocked_endsAtLimitAndWorksLater() throws Exception {
        try (PostgresSyncBackend backend = Server.backend(schema)) {
            backend.publish(publication(1, 0, "{}\n"), LIMIT);
            try (Connection holder = Server.connection(schema);
                    Statement sql = holder.createStatement()) {
                sql.execute("select 1 from replica for update");
                assertThatThrownBy(() -> backend.publish(publication(1, 3, "{}\n"), Duration.ofMillis(200)))
                        .isInstanceOf(IOException.class);
                holder.rollback();
            }
            assertThat(backend.publish(publication(1, 3, "{}\n"), LIMIT).isAccepted())
                    .isTrue();
        }
    }

    @Test
    @Timeout(60)
    void poll_silentServer_endsAtLimit() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                PostgresSyncBackend backend = PostgresSyncBackend.of(
                                "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x")
                        .credentials("me", "secret")
                        .build()) {
            assertThatThrownBy(() -> backend.poll(Map.of(), 100, Duration.ofMillis(200)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not respond within 200 ms");
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> backend.poll(Map.of(), 100, LIMIT)).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void poll_connectionClosedByServer_nextCallReconnects() throws Exception {
        try (PostgresSyncBackend backend = Server.backend(schema)) {
            backend.publish(publication(1, 0, "{}\n"), LIMIT);
            execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'xmem'"
                    + " and pid <> pg_backend_pid()");
            assertThatThrownBy(() -> backend.poll(Map.of(), 100, LIMIT)).isInstanceOf(IOException.class);
            assertThat(backend.poll(Map.of(), 100, LIMIT).chunks()).hasSize(1);
        }
    }
}
