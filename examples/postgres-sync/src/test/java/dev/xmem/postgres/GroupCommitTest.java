package dev.xmem.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xmem.spi.SyncBackend;
import dev.xmem.spi.SyncBackend.Ack;
import dev.xmem.spi.SyncBackend.Chunk;
import dev.xmem.spi.SyncBackend.Publication;
import dev.xmem.spi.SyncBackend.Stream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** The stores of a process publish together, and none of them suffers from another. */
class GroupCommitTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String schema = Server.schema();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private PostgresSharedMemory memory() throws IOException {
        PostgresSharedMemory memory = PostgresSyncBackend.of(Server.url().replaceAll("\\?.*", ""))
                .credentials("postgres", "postgres")
                .schema(schema)
                .sharedMemory(2, Duration.ofDays(1));
        memory.migrate();
        return memory;
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static Stream stream(int writer) {
        return new Stream(String.format("%032x", writer), "failures");
    }

    private static Publication publication(int writer, long from) {
        String line = "{\"ctx_hash\":\"family-%d\",\"pattern_avoid\":\"look\"}\n".formatted(writer);
        Chunk chunk = Chunk.of(stream(writer), 1, from, line.getBytes(StandardCharsets.UTF_8));
        return Publication.of(stream(writer).replica(), List.of(chunk), "x");
    }

    private Future<Ack> publish(PostgresSharedMemory memory, int writer, long from) {
        SyncBackend backend = memory.publisher();
        return threads.submit(() -> backend.publish(publication(writer, from), LIMIT));
    }

    private long number(String query) throws SQLException {
        try (Connection connection = Server.connection(schema);
                Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Publishes while the first publication waits for a lock, so that the others wait for it. */
    private List<Future<Ack>> publishWhileOneWaits(PostgresSharedMemory memory, long from, int... writers)
            throws Exception {
        publish(memory, 1, 0).get();
        List<Future<Ack>> acks = new ArrayList<>();
        try (Connection other = Server.connection(schema);
                Statement sql = other.createStatement()) {
            sql.execute("select from replica where id = '" + stream(1).replica() + "' for update");
            acks.add(publish(memory, 1, publication(1, 0).chunks().get(0).to()));
            while (number("select count(*) from pg_locks where not granted") == 0) {
                Thread.sleep(5);
            }
            for (int writer : writers) {
                acks.add(publish(memory, writer, from));
            }
            while (memory.waitingPublications() < writers.length) {
                Thread.sleep(5);
            }
            other.rollback();
        }
        return acks;
    }

    @Test
    @Timeout(60)
    void publish_whileATransactionRuns_oneTransactionForAll() throws Exception {
        try (PostgresSharedMemory memory = memory()) {
            for (Future<Ack> ack : publishWhileOneWaits(memory, 0, 2, 3, 4)) {
                assertThat(ack.get().isAccepted()).isTrue();
            }
            assertThat(number("select count(*) from piece")).isEqualTo(5);
            assertThat(number("select count(distinct xmin::text) from piece where replica > '"
                            + stream(1).replica() + "'"))
                    .as("transactions of the three that waited")
                    .isEqualTo(1);
        }
    }

    @Test
    @Timeout(60)
    void publish_oneThatTheDatabaseCannotTake_theOthersAreWritten() throws Exception {
        try (PostgresSharedMemory memory = memory()) {
            try (Connection connection = Server.connection(schema);
                    Statement sql = connection.createStatement()) {
                sql.execute("alter table piece add constraint poison check (replica <> '"
                        + stream(3).replica() + "')");
                connection.commit();
            }
            List<Future<Ack>> acks = publishWhileOneWaits(memory, 0, 2, 3, 4);
            assertThatThrownBy(() -> acks.get(2).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("poison");
            for (int other : new int[] {0, 1, 3}) {
                assertThat(acks.get(other).get().isAccepted()).isTrue();
            }
            assertThat(number("select count(*) from lesson")).isEqualTo(3);
        }
    }

    /** The message goes to the report and the log of the store: no lines, and no more than a sentence. */
    @Test
    @Timeout(60)
    void publish_whatTheDatabaseCannotTake_theMessageHasNoLines() throws Exception {
        try (PostgresSharedMemory memory = memory()) {
            try (Connection connection = Server.connection(schema);
                    Statement sql = connection.createStatement()) {
                sql.execute("alter table piece add constraint poison check (position > 0)");
                connection.commit();
            }
            assertThatThrownBy(() -> memory.publisher().publish(publication(1, 0), LIMIT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("poison")
                    .satisfies(e -> assertThat(stackTrace(e))
                            .doesNotContain("family-1", HexFormat.of().formatHex("family-1".getBytes())));
        }
    }

    private static String stackTrace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Another program may hold the row of a replica for as long as it likes: only that replica waits. */
    @Test
    @Timeout(60)
    void publish_oneReplicaIsLocked_theOthersAreWritten() throws Exception {
        try (PostgresSharedMemory memory = memory();
                Connection other = Server.connection(schema);
                Statement sql = other.createStatement()) {
            publish(memory, 3, 0).get();
            sql.execute("select from replica where id = '" + stream(3).replica() + "' for update");
            List<Future<Ack>> acks = publishWhileOneWaits(memory, 0, 2, 4);
            Future<Ack> locked =
                    publish(memory, 3, publication(3, 0).chunks().get(0).to());
            assertThat(acks.get(1).get().isAccepted()).isTrue();
            assertThat(acks.get(2).get().isAccepted()).isTrue();
            List<Future<Ack>> more = publishWhileOneWaits(memory, 0, 5, 6);
            assertThat(more.get(1).get().isAccepted()).isTrue();
            other.rollback();
            assertThat(locked.get().isAccepted()).isTrue();
        }
    }

    /** As after an error of the machine: the thread that writes serves every store. */
    @Test
    @Timeout(60)
    void publish_errorInTheWritersThread_failsAtOnceAndTheNextIsWritten() throws Exception {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(Server.url());
        AtomicInteger calls = new AtomicInteger();
        GroupCommit group = group(() -> {
            if (calls.incrementAndGet() == 1) {
                throw new OutOfMemoryError("not really");
            }
            return server.getConnection();
        });
        assertThatThrownBy(() -> group.publish(publication(1, 0), LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not really");
        assertThat(group.publish(publication(1, 0), LIMIT).isAccepted()).isTrue();
        group.close();
    }

    /** What arrives in a transaction begins a group, for which others have time to arrive. */
    @Test
    @Timeout(60)
    void publish_oneArrivesInATransaction_itGathersAGroup() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        AtomicReference<Future<Ack>> second = new AtomicReference<>();
        AtomicReference<GroupCommit> group = new AtomicReference<>();
        group.set(group(() -> {
            calls.incrementAndGet();
            second.set(threads.submit(() -> group.get().publish(publication(2, 0), Duration.ofDays(1))));
            while (group.get().waiting() == 0) {
                Thread.onSpinWait();
            }
            throw new SQLException("there is no server");
        }));
        assertThatThrownBy(() -> group.get().publish(publication(1, 0), Duration.ofSeconds(5)))
                .hasMessageContaining("there is no server");
        group.get().close();
        assertThatThrownBy(() -> second.get().get()).hasMessageContaining("closed");
        assertThat(calls).hasValue(1);
    }

    /** As when many stores share the thread of their sync: no other publication can arrive. */
    @Test
    @Timeout(60)
    void publish_noOtherArrived_theNextDoesNotWaitForOthers() throws Exception {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(Server.url());
        GroupCommit group = group(server::getConnection);
        assertThat(group.publish(publication(1, 0), Duration.ofSeconds(5)).isAccepted())
                .isTrue();
        assertThat(group.publish(publication(2, 0), Duration.ofDays(1)).isAccepted())
                .isTrue();
        group.close();
    }

    private GroupCommit group(Connector connector) {
        DataSource source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, args) -> connector.get());
        return new GroupCommit(TransactionRunner.pooled(source, schema), keys -> {}, Duration.ofDays(1));
    }

    private interface Connector {
        Connection get() throws SQLException;
    }

    /** A process that is suspended in a transaction holds locks that other processes wait for. */
    @Test
    void transaction_clientIsSuspended_serverEndsItAfterTheLimit() throws IOException {
        TransactionRunner runner = TransactionRunner.single(Server.url(), new Properties(), schema);
        String timeout = runner.write(Duration.ofSeconds(7), session -> {
            try (Statement sql = session.connection().createStatement();
                    ResultSet row = sql.executeQuery("show idle_in_transaction_session_timeout")) {
                row.next();
                return row.getString(1);
            }
        });
        assertThat(timeout).isEqualTo("7s");
        runner.close();
    }

    @Test
    @Timeout(60)
    void publish_oneRefusedAndOneRetired_theOthersAreWritten() throws Exception {
        try (PostgresSharedMemory memory = memory()) {
            memory.publisher().retire(stream(2).replica(), LIMIT);
            assertThat(publish(memory, 3, 0).get().isAccepted()).isTrue();
            List<Future<Ack>> acks = publishWhileOneWaits(memory, 0, 2, 3, 4);
            assertThat(acks.get(1).get().isRetired()).isTrue();
            assertThat(acks.get(2).get().isAccepted()).as("it is there already").isFalse();
            assertThat(acks.get(3).get().isAccepted()).isTrue();
            assertThat(number("select count(*) from piece where replica = '"
                            + stream(2).replica() + "'"))
                    .isZero();
        }
    }

    @Test
    @Timeout(60)
    void publish_committed_theProcessKnowsTheFamilyWithoutARefresh() throws Exception {
        try (PostgresSharedMemory memory = memory()) {
            while (memory.mayKnow("family-2")) {
                Thread.sleep(5); // until the filter was read once
            }
            publish(memory, 2, 0).get();
            assertThat(memory.mayKnow("family-2")).isTrue();
            assertThat(memory.mayKnow("family-3")).isFalse();
        }
    }

    @Test
    @Timeout(60)
    void publish_closedMemory_fails() throws Exception {
        PostgresSharedMemory memory = memory();
        memory.close();
        SyncBackend backend = memory.publisher();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> backend.publish(publication(1, 0), LIMIT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("closed");
        }
    }
}
