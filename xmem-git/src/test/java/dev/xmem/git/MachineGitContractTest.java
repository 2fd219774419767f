package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract with the machine's git as the transport. */
class MachineGitContractTest extends SyncBackendContract {
    @TempDir
    Path folder;

    private Remote remote;

    @BeforeEach
    void create() throws Exception {
        remote = Remote.create(folder.resolve("remote.git"));
    }

    @AfterEach
    void check() throws Exception {
        remote.assertSound();
    }

    @Override
    protected SyncBackend connect(String machine) {
        return GitSyncBackend.of(folder.resolve(machine), remote.folder().toString())
                .build();
    }
}
