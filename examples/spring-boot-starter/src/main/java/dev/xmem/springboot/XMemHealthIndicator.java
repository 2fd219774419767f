package dev.xmem.springboot;

import dev.xmem.Stats;
import dev.xmem.SyncReport;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of a store. It is UP or UNKNOWN, never DOWN: an agent works without its memory, so a store that is busy or
 * cannot be read must not take the application out of service.
 */
final class XMemHealthIndicator implements HealthIndicator {
    private final XMemStore store;

    XMemHealthIndicator(XMemStore store) {
        this.store = store;
    }

    @Override
    public Health health() {
        Stats stats;
        try {
            stats = store.stats();
        } catch (XMemException e) {
            return Health.unknown()
                    .withDetail("problem", String.valueOf(e.getMessage()))
                    .build();
        }
        Health.Builder health = Health.up()
                .withDetail("failures", stats.failures())
                .withDetail("successes", stats.successes())
                .withDetail("malformedLines", stats.malformedLines())
                .withDetail("guardDropped", stats.guardDropped())
                .withDetail("guardUnavailable", stats.guardUnavailable());
        SyncReport sync = stats.sync();
        if (sync != null) {
            health.withDetail("syncPending", sync.pending());
            if (sync.lastError() != null) {
                health.withDetail("syncError", sync.lastError());
            }
        }
        return health.build();
    }
}
