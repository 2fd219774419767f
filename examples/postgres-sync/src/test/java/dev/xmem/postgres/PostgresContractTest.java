package dev.xmem.postgres;

import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncBackendContract;

class PostgresContractTest extends SyncBackendContract {
    private final String schema = Server.schema();

    @Override
    protected SyncBackend connect(String machine) {
        return Server.backend(schema);
    }
}
