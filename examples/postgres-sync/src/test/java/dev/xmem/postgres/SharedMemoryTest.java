package dev.xmem.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.Failure;
import dev.xmem.LayerStats;
import dev.xmem.Retention;
import dev.xmem.Success;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a fleet: told by hash, erased, restored, stopped, with few rights. */
class SharedMemoryTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ToolCall CALL = ToolCall.shell("rclone sync x:y /mnt").session("s");
    private static final ToolError ERROR = ToolError.exit(1, "Failed: didn't find section in config file");

    @TempDir
    Path folder;

    private final String schema = Server.schema();

    private static PostgresSharedMemory memory(String url, String user, String schema) {
        return PostgresSyncBackend.of(url.replaceAll("\\?.*", ""))
                .credentials(user, "postgres")
                .schema(schema)
                .sharedMemory(2, Duration.ofMillis(20));
    }

    private PostgresSharedMemory memory() {
        return memory(Server.url(), "postgres", schema);
    }

    private XMemStore open(String name, PostgresSharedMemory memory) {
        return XMem.builder(folder.resolve(name))
                .sync(memory.publisher())
                .syncInterval(Duration.ofDays(1))
                .readThrough(memory)
                .guardLimit(Duration.ofSeconds(20))
                .open();
    }

    private static void publish(XMemStore store) {
        assertThat(store.sync(LIMIT).lastError()).isNull();
    }

    private static void awaitKnown(PostgresSharedMemory memory, String family) throws InterruptedException {
        while (!memory.mayKnow(family) || memory.mayKnow("no-such-family")) {
            Thread.sleep(5); // the filter is read in the background
        }
    }

    private long lessons() throws SQLException {
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("select count(*) from lesson")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** The lines of failures in the database; each is there once. */
    static long published(Connection connection, String schema) throws SQLException {
        List<String> lines = new ArrayList<>();
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(
                        "select replica, bytes from \"" + schema + "\".piece" + " where name = 'failures'")) {
            while (row.next()) {
                String replica = row.getString(1);
                new String(row.getBytes(2), StandardCharsets.UTF_8).lines().forEach(line -> lines.add(replica + line));
            }
        }
        assertThat(lines).doesNotHaveDuplicates();
        return lines.size();
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement()) {
            for (String statement : statements) {
                sql.execute(statement);
            }
            connection.commit();
        }
    }

    @Test
    @Timeout(120)
    void recall_familyThatAnotherAgentPublished_isToldAndNothingElseIsCopied() throws Exception {
        try (PostgresSharedMemory memory = memory();
                XMemStore anna = open("anna", memory);
                XMemStore ben = open("ben", memory)) {
            Failure learned = anna.recordFailure(Failure.of(CALL, ERROR).patternAvoid("Make a section first"));
            anna.recordFailure(Failure.of(CALL, ERROR)); // without advice, and newer
            publish(anna);
            publish(ben);
            awaitKnown(memory, learned.ctxHash());
            assertThat(ben.recall(CALL, ERROR).text())
                    .contains("Make a section first")
                    .contains("team");
            assertThat(folder.resolve("ben/data/peers")).doesNotExist();
            assertThat(memory.lookup(learned.ctxHash(), LIMIT)).hasSize(1);
        }
    }

    @Test
    @Timeout(120)
    void recall_fixThatAnotherAgentPublished_isTold() throws Exception {
        try (PostgresSharedMemory memory = memory();
                XMemStore anna = open("anna", memory);
                XMemStore ben = open("ben", memory)) {
            Failure failed = anna.recordFailure(Failure.of(CALL, ERROR));
            Success fix = anna.recordSuccess(Success.of("rclone", "make a section")
                    .action("sync")
                    .signature("config-not-found")
                    .answers(failed.id())
                    .keySteps("rclone config create x drive"));
            assertThat(fix.ctxHash()).isEqualTo(failed.ctxHash());
            publish(anna);
            awaitKnown(memory, failed.ctxHash());
            assertThat(memory.lookup(failed.ctxHash(), LIMIT)).hasSize(2);
            assertThat(ben.recall(CALL, ERROR).text()).contains("rclone config create x drive");
        }
    }

    @Test
    @Timeout(120)
    void publish_erasureAndCompaction_replaceTheLessons() throws Exception {
        try (PostgresSharedMemory memory = memory();
                XMemStore anna = open("anna", memory)) {
            Failure secret = anna.recordFailure(Failure.of(CALL, ERROR).patternAvoid("the word is Rumpelstilzchen"));
            anna.recordFailure(Failure.of(ToolCall.shell("tar xf a.tar"), ToolError.exit(2, "tar: no such file"))
                    .patternAvoid("look for it"));
            publish(anna);
            assertThat(lessons()).isEqualTo(2);
            anna.purge(Set.of(secret.id()));
            publish(anna);
            assertThat(memory.lookup(secret.ctxHash(), LIMIT)).isEmpty();
            anna.compact(anna.planCompaction(Retention.defaults()));
            publish(anna);
            assertThat(lessons()).isEqualTo(1);
        }
    }

    @Test
    @Timeout(120)
    void publish_databaseRestoredFromAnOlderBackup_getsEverythingAgain() throws Exception {
        try (PostgresSharedMemory memory = memory();
                XMemStore anna = open("anna", memory)) {
            anna.recordFailure(Failure.of(ToolCall.shell("tar xf a.tar"), ToolError.exit(2, "tar: no such file")));
            publish(anna);
            execute("delete from lesson", "delete from family", "delete from piece", "delete from stream");
            Failure later = anna.recordFailure(Failure.of(CALL, ERROR).patternAvoid("Make a section first"));
            publish(anna);
            assertThat(lessons()).isEqualTo(2);
            assertThat(memory.lookup(later.ctxHash(), LIMIT)).hasSize(1);
        }
    }

    @Test
    @Timeout(120)
    void lookup_manyReplicas_bestOfEachAndFew() throws Exception {
        try (PostgresSharedMemory memory = memory()) {
            String family = "";
            for (int i = 0; i < 12; i++) {
                try (XMemStore store = open("agent-" + i, memory)) {
                    for (int j = 0; j < 3; j++) {
                        family = store.recordFailure(
                                        i == 0
                                                ? Failure.of(CALL, ERROR).patternAvoid("Make a section first")
                                                : Failure.of(CALL, ERROR))
                                .ctxHash();
                    }
                    publish(store);
                }
            }
            List<byte[]> lines = memory.lookup(family, LIMIT);
            assertThat(lines).hasSize(8);
            assertThat(new String(lines.get(0), StandardCharsets.UTF_8)).contains("Make a section first");
            assertThat(lessons()).as("one line for each replica").isEqualTo(12);
        }
    }

    @Test
    @Timeout(120)
    void agentsRole_publishesAndAsks_andCannotChangeTheSchema() throws Exception {
        try (PostgresSharedMemory owner = memory()) {
            owner.migrate();
        }
        String roles;
        try (InputStream in = PostgresSharedMemory.class.getResourceAsStream("roles.sql")) {
            roles = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${schema}", schema);
        }
        execute(
                roles,
                "create role \"" + schema + "_anna\" login password 'postgres' in role \"" + schema + "_agent\"");
        try (PostgresSharedMemory memory = memory(Server.url(), schema + "_anna", schema);
                XMemStore store = open("anna", memory)) {
            Failure learned = store.recordFailure(Failure.of(CALL, ERROR).patternAvoid("Make a section first"));
            publish(store);
            assertThat(memory.lookup(learned.ctxHash(), LIMIT)).hasSize(1);
        }
        try (Connection connection = DriverManager.getConnection(
                        Server.url().replaceAll("\\?.*", ""), schema + "_anna", "postgres");
                Statement sql = connection.createStatement()) {
            for (String forbidden : List.of(
                    "drop table \"" + schema + "\".lesson",
                    "create table \"" + schema + "\".mine (a int)",
                    "delete from \"" + schema + "\".replica",
                    "update \"" + schema + "\".migration set version = 9")) {
                assertThatThrownBy(() -> sql.execute(forbidden)).isInstanceOf(SQLException.class);
            }
        }
    }

    /** A store that is closed interrupts its look-up; the memory goes on for the others. */
    @Test
    @Timeout(20)
    void lookup_interrupted_endsAndIsNoProblemOfTheMemory() throws Exception {
        int port = Integer.parseInt(Server.url().replaceAll(".*:(\\d+)/.*", "$1"));
        try (Wire wire = new Wire(port);
                PostgresSharedMemory memory =
                        memory(Server.url().replace(":" + port + "/", ":" + wire.port() + "/"), "postgres", schema)) {
            wire.silent(true);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> memory.lookup("family", LIMIT)).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(memory.problem()).isNull();
        }
    }

    /** All connections of the pool wait for a server that takes queries and answers nothing. */
    @Test
    @Timeout(20)
    void lookup_serverSilent_endsAtLimitAndConnectionsAreFree() throws Exception {
        String family;
        try (PostgresSharedMemory owner = memory();
                XMemStore anna = open("anna", owner)) {
            family = anna.recordFailure(Failure.of(CALL, ERROR)).ctxHash();
            publish(anna);
        }
        int port = Integer.parseInt(Server.url().replaceAll(".*:(\\d+)/.*", "$1"));
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try (Wire wire = new Wire(port);
                PostgresSharedMemory memory =
                        memory(Server.url().replace(":" + port + "/", ":" + wire.port() + "/"), "postgres", schema)) {
            assertThat(memory.lookup(family, LIMIT)).hasSize(1);
            wire.silent(true);
            List<Callable<List<byte[]>>> asked =
                    Collections.nCopies(6, () -> memory.lookup(family, Duration.ofMillis(300)));
            for (Future<List<byte[]>> answer : threads.invokeAll(asked)) {
                assertThatThrownBy(answer::get)
                        .hasCauseInstanceOf(IOException.class)
                        .hasMessageContaining("no response within 300 ms");
            }
            assertThat(memory.problem()).contains("PostgreSQL does not answer");
            wire.silent(false);
            assertThat(memory.lookup(family, Duration.ofSeconds(5))).hasSize(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Agents fail before and while the server is stopped; what they record arrives once. See {@link FleetSoak}. */
    @Test
    @Timeout(180)
    void fleet_serverStopped_everythingIsPublishedOnce() throws Exception {
        try (OwnServer server = new OwnServer(folder);
                PostgresSharedMemory memory = memory(server.url, "postgres", "fleet");
                FleetSimulation fleet =
                        new FleetSimulation(folder, memory, 20, 10, 1, Duration.ofMillis(300), Duration.ofMillis(50))) {
            fleet.run(4, 60);
            System.out.println(fleet.report(4));
            assertThat(fleet.lessons()).isNotEmpty();
            server.stop();
            fleet.run(1, 60);
            while (memory.problem() == null) {
                Thread.sleep(5);
            }
            assertThat(fleet.problems()).as("agents whose statistics say it").isEqualTo(20);
            server.start();
            assertThat(fleet.settle()).as("not published").isZero();
            try (Connection connection = DriverManager.getConnection(server.url)) {
                assertThat(published(connection, "fleet")).isEqualTo(fleet.recorded());
            }
        }
    }

    @Test
    @Timeout(180)
    void serverStopped_ownMemoryAnswersAndNothingIsLost() throws Exception {
        try (OwnServer server = new OwnServer(folder);
                PostgresSharedMemory memory = memory(server.url, "postgres", "fleet");
                XMemStore anna = open("anna", memory);
                XMemStore ben = open("ben", memory)) {
            publish(anna);
            Failure before = ben.recordFailure(Failure.of(CALL, ERROR).patternAvoid("Make a section first"));
            publish(ben);
            awaitKnown(memory, before.ctxHash());
            assertThat(anna.recall(CALL, ERROR).text()).contains("Make a section first");
            server.stop();
            while (memory.problem() == null) {
                Thread.sleep(5);
            }
            ToolCall other = ToolCall.shell("tar xf a.tar").session("s");
            ToolError missing = ToolError.exit(2, "tar: no such file");
            anna.recordFailure(Failure.of(other, missing).patternAvoid("look for it"));
            assertThat(anna.recall(other, missing).text()).contains("look for it");
            assertThat(anna.recall(CALL, ERROR).text()).as("fetched before").contains("Make a section first");
            LayerStats layer = anna.stats().layers().get(0);
            assertThat(layer.problem()).contains("PostgreSQL does not answer").doesNotContain("password");
            assertThat(anna.sync(Duration.ofSeconds(5)).lastError()).isNotNull();
            server.start();
            while (anna.sync(LIMIT).pending() > 0 || memory.problem() != null) {
                Thread.sleep(5); // the server may still refuse connections
            }
            awaitKnown(memory, anna.recordFailure(Failure.of(other, missing)).ctxHash());
            assertThat(ben.recall(other, missing).text()).contains("look for it");
        }
    }

    /** A server of the test's own, which it stops and starts again on the same port. */
    private static final class OwnServer implements AutoCloseable {
        final String url;
        private final EmbeddedPostgres.Builder builder;
        private EmbeddedPostgres running;

        OwnServer(Path folder) throws IOException {
            Server.url(); // skips where there is no server
            builder = EmbeddedPostgres.builder()
                    .setDataDirectory(Files.createDirectory(folder.resolve("server")))
                    .setCleanDataDirectory(false)
                    .setServerConfig("fsync", "off");
            running = builder.start();
            url = running.getJdbcUrl("postgres", "postgres");
            builder.setPort(running.getPort());
        }

        void start() throws IOException {
            running = builder.start();
        }

        void stop() throws IOException {
            running.close();
        }

        @Override
        public void close() throws IOException {
            stop();
        }
    }
}
