package dev.xmem.s3;

import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncBackendContract;

/** The contract on a server that others wrote; see {@link RealServer}. */
class RealServerTest extends SyncBackendContract {
    private final String folder = RealServer.folder();

    @Override
    protected SyncBackend connect(String machine) {
        return RealServer.backend(folder);
    }
}
