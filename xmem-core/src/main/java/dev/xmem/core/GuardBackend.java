package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Outcome;
import dev.xmem.ToolError;
import dev.xmem.core.agent.guard.GuardStore;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store as a guard sees it. */
final class GuardBackend implements GuardStore {
    private final DefaultStore store;
    private final StoreAssembly parts;

    GuardBackend(DefaultStore store, StoreAssembly parts) {
        Redaction.warmUp(); // so that the first failure does not wait for it
        this.store = store;
        this.parts = parts;
    }

    @Override
    public boolean isOpen() {
        return store.isOpen();
    }

    @Override
    public boolean isWritable() {
        return parts.writeSide != null;
    }

    @Override
    public Instant now() {
        return store.clock().instant();
    }

    @Override
    public String redact(String tool, String action) {
        return parts.redaction.cleanAction(tool, parts.redaction.clean(action));
    }

    @Override
    public String operation(String tool, String action) {
        return parts.config.hasher().hash(HashInput.of(tool, action)).value();
    }

    /** Never waits for a writer: while one holds the lock, it uses what is indexed. */
    @Override
    public Recalled recall(String tool, String action, ToolError error) throws IOException {
        return parts.recovery.withRetry(() -> store.recall(parts.registry.wholeIfFree(), tool, action, error));
    }

    @Override
    public int failures(int from, int most, Consumer<Failure> each) throws IOException {
        int place = parts.registry.names().indexOf(LogName.FAILURES);
        LogSnapshot view = parts.registry.wholeIfFree().logs().get(place);
        LogIndex log = view.index();
        for (int ordinal = Math.max(from, view.count() - most); ordinal < view.count(); ordinal++) {
            boolean failure = log.lines().kind(ordinal) == Entry.Kind.FAILURE && view.shows(ordinal);
            if (failure && parts.entries.entry(log, ordinal) instanceof Failure stored) {
                each.accept(stored);
            }
        }
        return view.count();
    }

    @Override
    public Entry record(EntryDraft draft) throws IOException {
        return store.append(List.of(draft)).get(0);
    }

    @Override
    public boolean vote(String id, Outcome outcome, String session) throws IOException {
        return isWritable() && store.vote(id, outcome, session);
    }

    @Override
    public FileSystem files() {
        return parts.files;
    }

    @Override
    public Path localFolder() {
        return parts.paths.local();
    }

    @Override
    public boolean sharesSessions() {
        return parts.config.sharedSessions();
    }

    @Override
    public String fenced(String body) {
        return parts.fence.around(body);
    }

    @Override
    public int tokens(String text) {
        return parts.config.tokens().estimate(text);
    }

    @Override
    public boolean runNow(Runnable task) {
        return parts.config.resources().background().runNow(task);
    }

    @Override
    public void runLater(Runnable task, Duration delay) {
        parts.config.resources().background().schedule(task, delay);
    }

    @Override
    public void countRecall(@Nullable Advice advice) {
        parts.metrics.recalled(advice);
    }

    @Override
    public void countDropped() {
        parts.metrics.guardDropped.increment();
    }
}
