package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolError;
import dev.xmem.core.agent.guard.GuardStore;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.core.write.DraftProcessor;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store as a guard sees it. */
final class GuardBackend implements GuardStore {
    private final Engine engine;
    private final DraftProcessor preparation;
    private final StoreConfig settings;
    private final StoreMetrics counters;

    GuardBackend(Engine engine, DraftProcessor preparation, StoreConfig settings, StoreMetrics counters) {
        Redaction.warmUp(); // before the first failure, which is not to wait for it
        this.engine = engine;
        this.preparation = preparation;
        this.settings = settings;
        this.counters = counters;
    }

    @Override
    public boolean isOpen() {
        return engine.isOpen();
    }

    @Override
    public boolean isWritable() {
        return !settings.readOnly();
    }

    @Override
    public Instant now() {
        return settings.clock().instant();
    }

    @Override
    public String redact(String tool, String action) {
        return preparation.cleanAction(tool, action);
    }

    @Override
    public String operation(String tool, String action) {
        return preparation.operation(tool, action);
    }

    @Override
    public Recalled recall(String tool, String action, ToolError error) throws IOException {
        return engine.recallNow(tool, action, error);
    }

    @Override
    public int failures(int from, int most, Consumer<Failure> each) throws IOException {
        return engine.failures(from, most, each);
    }

    @Override
    public Entry record(EntryDraft draft) throws IOException {
        return engine.record(List.of(draft)).get(0);
    }

    @Override
    public boolean vote(String id, Outcome outcome, String session) throws IOException {
        return isWritable() && engine.reportOutcome(id, outcome, session);
    }

    @Override
    public boolean runNow(Runnable task) {
        return settings.resources().runNow(task);
    }

    @Override
    public void runLater(Runnable task, Duration delay) {
        settings.resources().schedule(task, delay);
    }

    @Override
    public void countRecall(@Nullable Advice advice) {
        counters.recalled(advice);
    }

    @Override
    public void countDropped() {
        counters.guardDropped.increment();
    }
}
