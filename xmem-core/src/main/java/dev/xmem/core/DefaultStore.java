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
import dev.xmem.Layer;
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
import dev.xmem.core.agent.event.RecallLog;
import dev.xmem.core.agent.guard.Guard;
import dev.xmem.core.agent.guard.GuardStore;
import dev.xmem.core.answer.lookup.RulePromotion;
import dev.xmem.core.answer.recall.Recall;
import dev.xmem.core.answer.search.JournalSearch;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.io.IoSupplier;
import dev.xmem.core.base.trace.StoreEvent;
import dev.xmem.core.maintain.compact.Maintenance;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.text.hash.Excerpt;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.spi.ContextHash;
import dev.xmem.spi.ContextHasher;
import dev.xmem.spi.HashInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs each operation in the room that implements it. Queries and changes go through {@code IndexRecovery}, and
 * {@link IOException}s become exceptions of the API.
 */
final class DefaultStore implements XMemStore {
    final StoreAssembly parts;
    private final Lazy<Guard> guard;
    private final AtomicBoolean closed = new AtomicBoolean();

    DefaultStore(StoreAssembly parts) {
        this.parts = parts;
        this.guard = new Lazy<>(new Supplier<Guard>() {
            @Override
            public Guard get() {
                return new Guard(new GuardBackend(DefaultStore.this, parts));
            }
        });
    }

    InstantSource clock() {
        return parts.config.clock();
    }

    /** Whether a text costs no more than a page may. */
    boolean fitsPage(String text) {
        return parts.config.tokens().estimate(text) <= parts.config.tokenBudget();
    }

    /** Whether a flush leaves {@code index.json} to the background. */
    boolean isLarge() {
        return writeSide().index.isLarge();
    }

    boolean isOpen() {
        return !closed.get();
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new XMemException.Closed();
        }
    }

    private <T> T open(IoSupplier<T> work) {
        requireOpen();
        try {
            return work.get();
        } catch (IOException | UncheckedIOException e) {
            throw failed(e);
        }
    }

    private XMemException failed(Exception e) {
        Throwable cause = e instanceof UncheckedIOException ? Objects.requireNonNull(e.getCause()) : e;
        return closed.get()
                ? new XMemException.Closed()
                : new XMemException.Io(parts.paths.root(), (IOException) cause);
    }

    /** Runs an operation that may be run twice. */
    private <T> T query(IoSupplier<T> work) {
        requireOpen();
        try {
            return parts.recovery.withRetry(work);
        } catch (IOException | UncheckedIOException e) {
            throw failed(e);
        }
    }

    /** Runs an operation that must not be run twice. */
    private <T> T change(IoSupplier<T> work) {
        requireOpen();
        try {
            return parts.recovery.once(work);
        } catch (IOException | UncheckedIOException e) {
            throw failed(e);
        }
    }

    /** What writes; also while this store is being closed. */
    WriteSide writeSide() {
        if (parts.writeSide == null) {
            throw new XMemException.Unsupported(
                    "the store was opened read-only. Open it without readOnly() to record.");
        }
        return parts.writeSide;
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

    private Entry record(EntryDraft draft) {
        return recordAll(List.of(Objects.requireNonNull(draft, "draft"))).get(0);
    }

    @Override
    public List<Entry> recordAll(List<? extends EntryDraft> batch) {
        Objects.requireNonNull(batch, "batch").forEach(draft -> Objects.requireNonNull(draft, "batch"));
        return open(() -> {
            writeSide().annotations().requireAnswered(batch);
            return batch.isEmpty() ? List.of() : writeSide().append(batch);
        });
    }

    @Override
    public Directive promote(String successId) {
        Entry entry =
                find(successId).orElseThrow(() -> new XMemException.Invalid("id", "is unknown: " + successId + "."));
        if (!(entry instanceof Success success)) {
            throw new XMemException.Invalid("id", "is not the id of a success: " + entry.id() + ".");
        }
        return (Directive) record(RulePromotion.of(success));
    }

    @Override
    public Entry share(String id, Layer to) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(to, "to");
        return open(() -> parts.layers.share(this, id, to));
    }

    @Override
    public List<Entry> offers() {
        return open(() -> parts.layers.offers(this));
    }

    @Override
    public Optional<Entry> find(String idOrPrefix) {
        Objects.requireNonNull(idOrPrefix, "idOrPrefix");
        return query(() -> lookUp(idOrPrefix, parts.registry.whole()));
    }

    /** Finds an entry, even while this store is being closed. */
    Optional<Entry> lookUp(String idOrPrefix, StoreSnapshot logs) throws IOException {
        AskedStore owner = parts.layers.owner(idOrPrefix, logs);
        return owner == null
                ? parts.lookup.find(logs, idOrPrefix)
                : owner.read(store -> store.find(owner.ownId(idOrPrefix))).map(owner::shown);
    }

    private @Nullable AskedStore owner(String id) throws IOException {
        return parts.layers.isEmpty() ? null : parts.layers.owner(id, parts.registry.whole());
    }

    @Override
    public Page search(Query query) {
        Objects.requireNonNull(query, "query");
        if (query.layer() != parts.config.layer()) {
            return open(() -> parts.layers.of(query.layer()).read(store -> store.search(query)));
        }
        long begin = System.nanoTime();
        StoreEvent event = new StoreEvent(StoreEvent.Operation.SEARCH);
        Page page = query(new IoSupplier<>() {
            @Override
            public Page get() throws IOException {
                return parts.queries.page(parts.registry.whole(), query);
            }
        });
        event.done(query.textMode().name(), page.matches().size(), page.total());
        parts.metrics.searches.ended(begin);
        return page;
    }

    @Override
    public ScanResult scan(Scan scan) {
        Objects.requireNonNull(scan, "scan");
        return query(() -> {
            parts.registry.refreshed();
            return new JournalSearch(parts.config.tokens(), parts.config.tokenBudget())
                    .scan(parts.registry.log(LogName.NOTES).file(), scan);
        });
    }

    @Override
    public Advice recall(ToolCall call, ToolError error) {
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(error, "error");
        Advice advice = query(() -> recall(parts.registry.whole(), call.tool(), call.action(), error))
                .advice();
        parts.metrics.recalled(advice);
        return advice;
    }

    /** Recalls with the hash and the salient lines that the failure would be stored with. */
    GuardStore.Recalled recall(StoreSnapshot snapshot, String tool, String action, ToolError error) throws IOException {
        long begin = System.nanoTime();
        StoreEvent event = new StoreEvent(StoreEvent.Operation.RECALL);
        String cleanTool = parts.redaction.clean(tool);
        String cleanAction = parts.redaction.cleanAction(cleanTool, action);
        Excerpt excerpt = Excerpt.of(cleanTool, cleanAction, parts.redaction.clean(error.text()));
        HashInput input = HashInput.of(cleanTool, cleanAction).error(excerpt.text(), error.exitCode());
        ContextHash hash = excerpt.hash(parts.config.hasher(), input);
        RecallQuery query = new RecallQuery(hash, excerpt.text(), cleanTool, cleanAction);
        StoreLayers.Question question = parts.layers.ask(input, query);
        Instant now = clock().instant();
        Recall.Found own = parts.recall.find(snapshot, query, now);
        Advice advice = parts.recall.advice(own, question.answers(), now);
        event.done(advice.matches().size());
        parts.metrics.recalls.ended(begin);
        return new GuardStore.Recalled(query.hash(), advice, excerpt.text());
    }

    /**
     * What this store knows of a failure that another store asks about.
     *
     * @param hasher the hasher that made the hash of the question
     */
    Recall.Found find(HashInput input, RecallQuery asked, ContextHasher hasher) throws IOException {
        ContextHasher own = parts.config.hasher();
        RecallQuery query = own.id().equals(hasher.id())
                ? asked
                : new RecallQuery(own.hash(input), asked.text(), asked.tool(), asked.action());
        return parts.recovery.withRetry(
                () -> parts.recall.find(parts.registry.wholeIfFree(), query, clock().instant()));
    }

    @Override
    public ToolGuard guard() {
        return guard.get();
    }

    @Override
    public boolean reportOutcome(String id, Outcome outcome, String session) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(session, "session");
        return open(() -> {
            AskedStore owner = owner(id);
            return owner == null
                    ? writeSide().vote(id, outcome, session)
                    : owner.write(store -> store.reportOutcome(owner.ownId(id), outcome, session));
        });
    }

    /** Records the vote of a guard, on an entry of another layer in the background; whether one is written now. */
    boolean guardVote(String id, Outcome outcome, String session) throws IOException {
        AskedStore owner = owner(id);
        if (owner != null) {
            parts.layers.voteLater(owner, id, outcome, session);
        }
        return owner == null && writeSide().vote(id, outcome, session);
    }

    @Override
    public Entry amend(String id, Amendment change) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(change, "change");
        return open(() -> {
            AskedStore owner = owner(id);
            return owner == null
                    ? parts.recovery.once(() -> writeSide().annotations().amend(id, change))
                    : owner.write(store -> owner.shown(store.amend(owner.ownId(id), change)));
        });
    }

    @Override
    public int purge(Set<String> ids, boolean backups) {
        Objects.requireNonNull(ids, "ids").forEach(id -> Objects.requireNonNull(id, "ids"));
        Set<String> these = Set.copyOf(ids);
        return change(() -> {
            int gone = writeSide().maintenance.get().purge(parts.layers.own(these, parts.registry), backups);
            Guard made = guard.ifCreated();
            if (made != null) {
                made.purged();
            }
            RecallLog.forget(parts.files, parts.paths);
            return gone;
        });
    }

    @Override
    public CompactionPlan planCompaction(Retention retention) {
        Objects.requireNonNull(retention, "retention");
        return query(() -> Maintenance.plan(parts.registry, parts.config, retention));
    }

    @Override
    public CompactionReport compact(CompactionPlan plan, CompactionListener listener) {
        Objects.requireNonNull(plan, "plan");
        Objects.requireNonNull(listener, "listener");
        return change(() -> writeSide().maintenance.get().compact(plan, listener));
    }

    @Override
    public CompactionReport restore(Path backup) {
        Objects.requireNonNull(backup, "backup");
        return change(() -> writeSide().maintenance.get().restore(backup));
    }

    @Override
    public Stats stats() {
        return query(() -> StoreStats.of(parts));
    }

    @Override
    public VerifyReport verify() {
        return query(
                () -> parts.integrity.verify(parts.writeSide == null ? null : parts.writeSide.index, parts.unread()));
    }

    @Override
    public void flush() {
        query(() -> {
            WriteSide out = writeSide();
            Guard made = guard.ifCreated();
            if (made != null) {
                made.flush();
            }
            for (LogSnapshot log : parts.registry.refreshed().logs()) {
                log.index().file().force();
            }
            parts.layers.flush();
            Duration patience = parts.config.lockTimeout();
            if (!out.index.flush(patience)) {
                throw new XMemException.Busy(parts.paths.indexLock(), patience);
            }
            return true;
        });
    }

    /** Writes {@code index.json}, whatever the size of the store. */
    void writeIndex() {
        query(() -> writeSide().index.write(parts.config.lockTimeout()));
    }

    @Override
    public SyncReport sync(Duration limit) {
        Objects.requireNonNull(limit, "limit");
        return open(() -> {
            WriteSide out = writeSide();
            if (parts.sync == null) {
                throw new XMemException.Unsupported(
                        "the store was opened without a sync backend; give one to XMem.builder(dir).sync(…).");
            }
            out.index.flushQuietly();
            return parts.sync.sync(limit);
        });
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Guard made = guard.ifCreated();
            if (made != null) {
                made.close();
            }
            parts.close();
        }
    }
}
