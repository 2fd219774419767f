package dev.xmem.cli;

import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/**
 * {@code xmem sync status}: prints the replica id, the remote and the number of unpublished lines. Does not contact the
 * remote.
 */
@Command(
        name = "status",
        description = "Prints this store's replica id, its remote and the number of unpublished lines. Does not contact"
                + " the remote.")
final class SyncStatusSubcommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // the parser of the command line sets it
    SyncSubcommand sync;

    /** A backend that is never reached: the store only counts what it would publish. */
    private static final class OfflineBackend implements SyncBackend {
        @Override
        public String id() {
            return "offline";
        }

        @Override
        public Set<Ability> abilities() {
            return Set.of(Ability.WRITE_ONLY);
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            throw new IOException("the remote is not contacted");
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) {
            return Batch.of(List.of(), List.of(), false);
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    @Override
    public Integer call() throws IOException {
        RootCommand root = sync.root;
        Path store = root.stores().directory();
        String remote = new SyncRemote(store, root.environment()).remote(null);
        SyncReport report;
        try (XMemStore open = SyncSubcommand.open(store, new OfflineBackend())) {
            report = open.sync(LIMIT);
        }
        return sync.answer(
                root.json
                        ? JsonText.object(g -> {
                            g.writeStringField("remote", remote);
                            g.writeStringField("replica", report.replica());
                            g.writeNumberField("pending", report.pending());
                        })
                        : "syncs with " + remote + "; this store is " + report.replica() + "; pending "
                                + report.pending());
    }
}
