package dev.xmem.git;

import dev.xmem.spi.SyncBackend;
import dev.xmem.testing.SyncBackendContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The backend contract with each transport. */
class GitContractTest {
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

    private SyncBackend connect(String machine, Transport transport) {
        return GitSyncBackend.of(folder.resolve(machine), remote.folder().toString())
                .transport(transport)
                .build();
    }

    /** The installed git. */
    @Nested
    class MachineGit extends SyncBackendContract {
        @Override
        protected SyncBackend connect(String machine) {
            return GitContractTest.this.connect(machine, Transport.GIT);
        }
    }

    /** JGit, in this process. */
    @Nested
    class JGit extends SyncBackendContract {
        @Override
        protected SyncBackend connect(String machine) {
            return GitContractTest.this.connect(machine, Transport.JGIT);
        }
    }
}
