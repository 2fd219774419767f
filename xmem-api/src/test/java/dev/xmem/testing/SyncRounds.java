package dev.xmem.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.SyncReport;
import dev.xmem.XMemStore;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Runs rounds of stores in a test and reports what was done since the previous one, also by background workers. */
public final class SyncRounds {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Map<XMemStore, SyncReport> before = new IdentityHashMap<>();

    /** The work since the previous round. */
    public record Done(
            String replica, String backend, int published, int imported, int pending, List<String> refused) {}

    /** Runs a round, which must succeed. */
    public Done sync(XMemStore store) {
        assertThat(store.sync(LIMIT).lastError()).isNull();
        SyncReport now = store.stats().sync();
        assertThat(now).isNotNull();
        SyncReport then = before.put(store, now);
        return new Done(
                now.replica(),
                now.backend(),
                now.published() - (then == null ? 0 : then.published()),
                now.imported() - (then == null ? 0 : then.imported()),
                now.pending(),
                now.refused());
    }
}
