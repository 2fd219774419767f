package dev.xmem.cli;

import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code xmem sync status}: who this store is for others, and what waits; nobody is asked. */
@Command(
        name = "status",
        description = "Prints who this store is for others, what it syncs with and how many lines wait. Asks nobody.")
final class SyncStatusCommand implements Callable<Integer> {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Root root;

    SyncStatusCommand(Root root) {
        this.root = root;
    }

    /** A backend that nothing is known of. */
    private static final class Nobody implements SyncBackend {
        @Override
        public String id() {
            return "nobody";
        }

        @Override
        public Set<Ability> abilities() {
            return Set.of(Ability.WRITE_ONLY);
        }

        @Override
        public Ack publish(Publication own, Duration limit) throws IOException {
            throw new IOException("nobody was asked");
        }

        @Override
        public Batch poll(Map<Stream, Head> known, long maxBytes, Duration limit) {
            return Batch.of(List.of(), List.of(), false);
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    @Override
    public Integer call() throws IOException {
        var store = root.stores().folderToSync();
        String remote = new Remotes(store, root.surroundings()).remote(null);
        SyncReport report;
        try (XMemStore open = SyncCommand.open(store, new Nobody())) {
            report = open.sync(LIMIT);
        }
        root.terminal()
                .answer(
                        root.json
                                ? Json.object(g -> {
                                    g.writeStringField("remote", remote);
                                    g.writeStringField("replica", report.replica());
                                    g.writeNumberField("pending", report.pending());
                                })
                                : "syncs with " + remote + "; this store is " + report.replica() + "; pending "
                                        + report.pending());
        root.terminal().flush();
        return Main.OK;
    }
}
