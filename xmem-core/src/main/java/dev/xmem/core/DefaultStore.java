package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.CompactionListener;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.EntryDraft;
import dev.xmem.Failure;
import dev.xmem.Note;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Retention;
import dev.xmem.Scan;
import dev.xmem.ScanResult;
import dev.xmem.Stats;
import dev.xmem.Success;
import dev.xmem.SyncReport;
import dev.xmem.ToolCall;
import dev.xmem.ToolError;
import dev.xmem.ToolGuard;
import dev.xmem.VerifyReport;
import dev.xmem.XMemException;
import dev.xmem.XMemStore;
import dev.xmem.core.base.io.IoSupplier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** The store: hands each question to the room that answers it, and turns what can go wrong into the API's exceptions. */
final class DefaultStore implements XMemStore {
    private final Engine engine;
    private final AtomicBoolean closed = new AtomicBoolean();

    DefaultStore(Engine engine) {
        this.engine = engine;
    }

    InstantSource clock() {
        return engine.clock();
    }

    private <T> T open(IoSupplier<T> work) {
        if (closed.get()) {
            throw new XMemException.Closed();
        }
        try {
            return work.get();
        } catch (UncheckedIOException e) {
            throw failed(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private XMemException failed(IOException e) {
        return closed.get()
                ? new XMemException.Closed()
                : new XMemException.Io(engine.places().root(), e);
    }

    @Override
    public Failure recordFailure(Failure.Draft draft) {
        return (Failure) record(draft);
    }

    @Override
    public Success recordSuccess(Success.Draft draft) {
        return (Success) record(draft);
    }

    @Override
    public Note writeNote(Note.Draft draft) {
        return (Note) record(draft);
    }

    @Override
    public Directive remember(Directive.Draft draft) {
        return (Directive) record(draft);
    }

    @Override
    public Directive promote(String successId) {
        Objects.requireNonNull(successId, "successId");
        return open(() -> engine.promote(successId));
    }

    private Entry record(EntryDraft draft) {
        return recordAll(List.of(draft)).get(0);
    }

    @Override
    public List<Entry> recordAll(List<? extends EntryDraft> batch) {
        return open(() -> batch.isEmpty() ? List.of() : engine.record(batch));
    }

    @Override
    public Optional<Entry> find(String idOrPrefix) {
        Objects.requireNonNull(idOrPrefix, "idOrPrefix");
        return open(() -> engine.find(idOrPrefix));
    }

    @Override
    public Page search(Query query) {
        Objects.requireNonNull(query, "query");
        return open(() -> engine.search(query));
    }

    @Override
    public ScanResult scan(Scan scan) {
        Objects.requireNonNull(scan, "scan");
        return open(() -> engine.scan(scan));
    }

    @Override
    public Advice recall(ToolCall call, ToolError error) {
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(error, "error");
        return open(() -> engine.recall(call, error));
    }

    @Override
    public ToolGuard guard() {
        return open(engine::guard);
    }

    @Override
    public boolean reportOutcome(String id, Outcome outcome, String session) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(session, "session");
        return open(() -> engine.reportOutcome(id, outcome, session));
    }

    @Override
    public Entry amend(String id, Amendment change) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(change, "change");
        return open(() -> engine.amend(id, change));
    }

    @Override
    public int purge(Set<String> ids, boolean backups) {
        Set<String> these = Set.copyOf(ids);
        return open(() -> engine.purge(these, backups));
    }

    @Override
    public Stats stats() {
        return open(engine::stats);
    }

    @Override
    public CompactionPlan planCompaction(Retention retention) {
        Objects.requireNonNull(retention, "retention");
        return open(() -> engine.planCompaction(retention));
    }

    @Override
    public CompactionReport compact(CompactionPlan plan, CompactionListener listener) {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(listener, "listener");
        return open(() -> engine.compact(plan, listener));
    }

    @Override
    public CompactionReport restore(Path backup) {
        Objects.requireNonNull(backup, "backup");
        return open(() -> engine.restore(backup));
    }

    @Override
    public VerifyReport verify() {
        return open(engine::verify);
    }

    @Override
    public void flush() {
        open(() -> {
            engine.flush();
            return true;
        });
    }

    @Override
    public SyncReport sync(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        return open(() -> engine.sync(limit));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            engine.close();
        }
    }
}
