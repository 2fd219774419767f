package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncBackendContract;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.postgresql.ds.PGSimpleDataSource;

/** What stores publish together, read as any backend reads it. */
class PublisherContractTest extends SyncBackendContract {
    private final String schema = Server.schema();
    private final TransactionRunner transactions;
    private final GroupCommit group;

    PublisherContractTest() {
        PGSimpleDataSource server = new PGSimpleDataSource();
        server.setUrl(Server.url());
        transactions = TransactionRunner.pooled(server, schema);
        group = new GroupCommit(transactions, families -> {}, Duration.ofMillis(2));
    }

    @Override
    protected SyncBackend connect(String machine) {
        return new Both(PostgresSyncBackend.publisher(transactions, group), Server.backend(schema));
    }

    private record Both(SyncBackend publisher, SyncBackend reader) implements SyncBackend {
        @Override
        public String id() {
            return publisher.id();
        }

        @Override
        public Set<Ability> abilities() {
            return publisher.abilities();
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            return publisher.publish(own, limit);
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) throws IOException {
            return reader.poll(known, maxBytes, limit);
        }

        @Override
        public void retire(String replica, Duration limit) throws IOException {
            publisher.retire(replica, limit);
        }

        @Override
        public void close() throws IOException {
            publisher.close();
            reader.close();
        }
    }
}
