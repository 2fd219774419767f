package dev.xmem.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xmem.Failure;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.XMemStore;
import dev.xmem.core.XMem;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class XMemMetersTest {
    private static final ToolError NO_UPSTREAM =
            ToolError.exit(128, "fatal: The current branch topic has no upstream branch.");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final XMemMeters meters = new XMemMeters();
    private final XMemStore store = XMem.inMemoryBuilder()
            .guardLimit(Duration.ofSeconds(60))
            .guardListener(meters)
            .open();

    @AfterEach
    void close() {
        store.close();
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    @Test
    void guard_oneKnownFailureThatIsFixed_isCountedOnceInEachMeter() {
        meters.of(store).bindTo(registry);
        store.recordFailure(Failure.of(ToolCall.shell("git push").session("old"), NO_UPSTREAM)
                .patternAvoid("git push -u origin topic"));
        ToolGuard guard = store.guard();

        guard.failed(ToolCall.shell("git push").session("s"), NO_UPSTREAM);
        guard.failed(ToolCall.shell("git push -u origin topic").session("s"), ToolError.exit(0, "set up to track"));
        guard.failed(ToolCall.shell("frob x").session("s"), ToolError.exit(2, "frob: no such thing: x"));
        store.flush();

        assertThat(count("xmem.failures", "known", "true")).isOne();
        assertThat(count("xmem.failures", "known", "false")).isOne();
        assertThat(count("xmem.told", "question", "failed")).isOne();
        assertThat(count("xmem.told.tokens")).isGreaterThan(10);
        assertThat(count("xmem.followed", "outcome", "worked")).isOne();
        assertThat(registry.get("xmem.guard")
                        .tags("question", "failed", "status", "found")
                        .timer()
                        .count())
                .isOne();
        assertThat(registry.get("xmem.entries").tag("kind", "failure").gauge().value())
                .isGreaterThanOrEqualTo(2);
        assertThat(registry.get("xmem.dropped").functionCounter().count()).isZero();
    }

    @Test
    void guard_closedStore_countsUnavailableAndKeepsTheTotals() {
        meters.of(store).bindTo(registry);
        store.recordFailure(Failure.of(ToolCall.shell("git push"), NO_UPSTREAM));
        assertThat(registry.get("xmem.entries").tag("kind", "failure").gauge().value())
                .isOne();
        ToolGuard guard = store.guard();
        store.close();

        guard.failed(ToolCall.shell("git push"), NO_UPSTREAM);

        assertThat(registry.get("xmem.guard").tag("status", "unavailable").timers())
                .anyMatch(timer -> timer.count() == 1);
        assertThat(registry.get("xmem.entries").tag("kind", "failure").gauge().value())
                .isOne();
    }

    @Test
    void unbound_countsNothingAndFailsNothing() {
        assertThat(store.guard().failed(ToolCall.shell("git push"), NO_UPSTREAM).ctxHash())
                .isNotNull();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void tags_areFewWhateverTheCallsAre() {
        meters.of(store).bindTo(registry);
        int before = registry.getMeters().size();
        for (int i = 0; i < 50; i++) {
            store.guard().failed(ToolCall.shell("tool" + i + " x").session("s" + i), ToolError.exit(1, "broken " + i));
        }

        assertThat(registry.getMeters()).hasSize(before);
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .allSatisfy(id -> assertThat(id.getDescription()).isNotBlank());
    }
}
