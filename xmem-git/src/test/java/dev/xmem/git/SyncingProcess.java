package dev.xmem.git;

import dev.xmem.Failure;
import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A process that records and syncs in rounds, each at the same time as the other process. */
final class SyncingProcess {
    static final int ROUNDS = 6;

    private static final Duration LIMIT = Duration.ofSeconds(120);

    private SyncingProcess() {}

    /** The name of this process, that of the other, its store, the remote, the transport, and the folder for marks. */
    public static void main(String[] args) throws IOException {
        Path store = Path.of(args[2]);
        Path marks = Path.of(args[5]);
        try (XMemStore open = XMem.builder(store)
                .syncInterval(Duration.ofDays(1))
                .sync(GitSyncBackend.of(store, args[3])
                        .transport(Transport.valueOf(args[4]))
                        .build())
                .open()) {
            for (int round = 0; round < ROUNDS; round++) {
                open.recordFailure(Failure.of("git", "push", "boo " + args[0] + round));
                Files.createFile(marks.resolve(args[0] + round));
                while (Files.notExists(marks.resolve(args[1] + round))) {
                    LockSupport.parkNanos(1_000_000);
                }
                SyncReport report = open.sync(LIMIT);
                if (report.lastError() != null || !report.refused().isEmpty()) {
                    throw new IOException("round " + round + ": " + report);
                }
            }
        }
    }
}
