package dev.xmem.s3;

import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncBackendContract;
import org.junit.jupiter.api.AfterEach;

/** The contract, on listings of pages of three. */
class S3ContractTest extends SyncBackendContract {
    private final TestBucket bucket = new TestBucket();

    @Override
    protected SyncBackend connect(String machine) {
        bucket.pageSize = 3;
        return bucket.backend();
    }

    @AfterEach
    void stop() {
        bucket.close();
    }
}
