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
import dev.xmem.Limits;
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
import dev.xmem.VerifyReport;
import dev.xmem.XMemException;
import dev.xmem.core.agent.guard.Guard;
import dev.xmem.core.agent.guard.GuardStore;
import dev.xmem.core.answer.directive.ActiveDirectives;
import dev.xmem.core.answer.directive.DirectiveReader;
import dev.xmem.core.answer.lookup.EntryLookup;
import dev.xmem.core.answer.lookup.RulePromotion;
import dev.xmem.core.answer.outcome.Outcomes;
import dev.xmem.core.answer.recall.Recall;
import dev.xmem.core.answer.render.Fence;
import dev.xmem.core.answer.search.JournalSearch;
import dev.xmem.core.answer.search.QueryService;
import dev.xmem.core.answer.search.Searcher;
import dev.xmem.core.answer.search.SemanticSearch;
import dev.xmem.core.base.concurrent.Lazy;
import dev.xmem.core.base.concurrent.LazySecureRandom;
import dev.xmem.core.base.config.LogDescriptor;
import dev.xmem.core.base.config.LogName;
import dev.xmem.core.base.config.Origin;
import dev.xmem.core.base.config.ResourcePool;
import dev.xmem.core.base.config.StoreConfig;
import dev.xmem.core.base.config.StorePaths;
import dev.xmem.core.base.io.FileSystem;
import dev.xmem.core.base.io.SandboxedFileSystem;
import dev.xmem.core.base.json.LineCodec;
import dev.xmem.core.base.trace.AppendEvent;
import dev.xmem.core.base.trace.Log;
import dev.xmem.core.base.trace.RecallEvent;
import dev.xmem.core.base.trace.SearchEvent;
import dev.xmem.core.maintain.compact.Maintenance;
import dev.xmem.core.maintain.verify.IndexJsonWriter;
import dev.xmem.core.maintain.verify.IndexRecovery;
import dev.xmem.core.maintain.verify.IntegrityChecker;
import dev.xmem.core.store.index.AlternateHash;
import dev.xmem.core.store.index.EntryReader;
import dev.xmem.core.store.index.HasherHistory;
import dev.xmem.core.store.index.LogDiscovery;
import dev.xmem.core.store.index.LogIndex;
import dev.xmem.core.store.index.LogRegistry;
import dev.xmem.core.store.index.LogSnapshot;
import dev.xmem.core.store.index.SegmentStore;
import dev.xmem.core.store.index.StoreSnapshot;
import dev.xmem.core.store.log.LogFile;
import dev.xmem.core.store.log.ReadStats;
import dev.xmem.core.sync.Sync;
import dev.xmem.core.sync.SyncWorker;
import dev.xmem.core.text.hash.RecallQuery;
import dev.xmem.core.text.redact.Redaction;
import dev.xmem.core.write.AnnotationWriter;
import dev.xmem.core.write.Appender;
import dev.xmem.core.write.DraftProcessor;
import dev.xmem.core.write.PreparedEntry;
import dev.xmem.core.write.StoreLocks;
import dev.xmem.spi.Embedder;
import dev.xmem.spi.SyncBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Wires the rooms of one open store. Methods throw {@link IOException}; {@link DefaultStore} translates it. */
final class Engine {
    private final StoreConfig settings;
    private final FileSystem disk;
    private final StorePaths places;
    private final ResourcePool resources;
    private final LineCodec codec = new LineCodec();
    private final ReadStats reads = new ReadStats();
    private final StoreMetrics counters = new StoreMetrics();
    private final LogRegistry catalog;
    private final IndexRecovery secondLook;
    private final DraftProcessor preparation;
    private final EntryReader entries;
    private final QueryService searches;
    private final Recall recall;
    private final Outcomes outcomes;
    private final DirectiveReader directives;
    private final EntryLookup finder;
    private final JournalSearch journal;
    private final IntegrityChecker integrity;
    private final @Nullable WriteSide writing;
    private final @Nullable SyncWorker sync;
    private final Lazy<Guard> guard = new Lazy<>(this::newGuard);
    private volatile boolean closing;

    Engine(StoreConfig settings) throws IOException {
        this.settings = settings;
        this.places = settings.places();
        this.disk = new SandboxedFileSystem(settings.disk(), places.root());
        this.resources = settings.resources();
        this.preparation = new DraftProcessor(
                codec,
                new Redaction(settings.redactor()),
                settings.rejectSecrets(),
                settings.hasher(),
                settings.limits());
        this.entries = new EntryReader(codec, resources.cache(), reads);
        Embedder embedder = settings.embedder();
        LogDiscovery further =
                new LogDiscovery(disk, places.root(), places.archives(), places.peers(), settings.peerTrust() > 0);
        places.confine(disk);
        AlternateHash rehash = new HasherHistory(disk, places.hashers()).rehash(settings, codec);
        SegmentStore segments = new SegmentStore(
                disk, places.root(), places.segments(), settings.segmentLines(), !settings.readOnly(), rehash);
        this.catalog = new LogRegistry(places.logs(), further, this::log, codec, segments, settings.clock());
        this.secondLook = new IndexRecovery(catalog);
        this.outcomes = new Outcomes(entries, codec, resources.cache());
        this.recall = new Recall(entries, outcomes, settings.tokens(), fence(settings.random()), settings.peerTrust());
        this.directives = new DirectiveReader(entries, codec, outcomes);
        Searcher searcher = new Searcher(
                codec, embedder == null ? null : new SemanticSearch(codec, embedder), settings.peerTrust());
        this.searches = new QueryService(settings, searcher, directives, outcomes, entries);
        this.finder = new EntryLookup(entries, directives, outcomes);
        this.journal = new JournalSearch(codec);
        this.integrity = new IntegrityChecker(disk, codec, catalog, places, settings.limits());
        this.writing =
                settings.readOnly() ? null : new WriteSide(settings, disk, codec, catalog, directives, integrity);
        this.sync = writing == null ? null : syncWorker(writing.index());
        readLogs();
    }

    /** Its number is drawn at once, so that the order is always the same, unless that takes time and no order is promised. */
    private static Fence fence(RandomGenerator random) {
        if (random instanceof LazySecureRandom late) {
            return new Fence(late);
        }
        long secret = random.nextLong();
        return new Fence(() -> secret);
    }

    private void readLogs() throws IOException {
        boolean read = false;
        try {
            StoreSnapshot known = secondLook.withRetry(catalog::whole);
            read = true;
            if (writing != null && !known.isEmpty()) {
                writing.index().opened();
            }
            if (sync != null) {
                sync.start();
            }
        } finally {
            if (!read) {
                release();
            }
        }
    }

    private LogFile log(LogDescriptor part) {
        int lineBytes = settings.limits().lineBytes();
        long window = part.origin().tier() == Origin.Tier.HOT ? settings.tailWindowBytes() : 0;
        return new LogFile(disk, part.file(), lineBytes, window, resources.cache(), reads);
    }

    private @Nullable SyncWorker syncWorker(IndexJsonWriter index) throws IOException {
        SyncBackend backend = settings.sync();
        if (backend == null) {
            return null;
        }
        Limits limits = settings.limits();
        Sync sync = new Sync(
                backend, disk, codec, places.sync(), limits.lineBytes(), limits.storeBytes(), settings.random());
        return new SyncWorker(
                sync,
                backend.id(),
                resources.network(),
                counters.appended,
                settings.syncInterval(),
                settings.clock(),
                settings.random(),
                () -> {
                    integrity.forgetReplaced();
                    index.touched();
                });
    }

    InstantSource clock() {
        return settings.clock();
    }

    StorePaths places() {
        return places;
    }

    List<Entry> record(List<? extends EntryDraft> batch) throws IOException {
        WriteSide out = requireWriting();
        Appender recorder = out.recorder();
        long begin = System.nanoTime();
        AppendEvent event = new AppendEvent();
        List<PreparedEntry> prepared = new ArrayList<>(batch.size());
        for (EntryDraft draft : batch) {
            prepared.add(preparation.prepare(draft));
        }
        List<Entry> recorded = secondLook.once(() -> recorder.append(prepared));
        counters.appended.add(recorded.size());
        event.done(recorded.size());
        counters.appends.ended(begin);
        out.index().touched();
        return secondLook.withRetry(() -> folded(recorded));
    }

    /** Directives as all their lines say. */
    private List<Entry> folded(List<Entry> recorded) throws IOException {
        if (recorded.stream().noneMatch(Directive.class::isInstance)) {
            return recorded;
        }
        StoreSnapshot snapshot = catalog.snapshot();
        List<Entry> folded = new ArrayList<>(recorded.size());
        for (Entry entry : recorded) {
            folded.add(finder.folded(snapshot, entry));
        }
        return folded;
    }

    Directive promote(String successId) throws IOException {
        Entry entry = find(successId)
                .orElseThrow(() -> new XMemException.Invalid("id", "is of no entry: " + successId + "."));
        if (!(entry instanceof Success success)) {
            throw new XMemException.Invalid("id", "is of no success: " + entry.id() + ".");
        }
        return (Directive) record(List.of(RulePromotion.of(success))).get(0);
    }

    ScanResult scan(Scan scan) throws IOException {
        return secondLook.withRetry(() -> {
            catalog.refreshed();
            return journal.scan(catalog.log(LogName.NOTES).file(), scan);
        });
    }

    private WriteSide requireWriting() {
        if (writing == null) {
            throw new XMemException.Unsupported(
                    "the store was opened read-only. Open it without readOnly() to record.");
        }
        return writing;
    }

    Optional<Entry> find(String idOrPrefix) throws IOException {
        return secondLook.withRetry(() -> finder.find(catalog.whole(), idOrPrefix));
    }

    private AnnotationWriter reporting() {
        return new AnnotationWriter(
                preparation, catalog, outcomes, finder, requireWriting().recorder());
    }

    private Maintenance upkeep() {
        return requireWriting().upkeep();
    }

    boolean reportOutcome(String id, Outcome outcome, String session) throws IOException {
        AnnotationWriter reporting = reporting();
        return secondLook.once(() -> reporting.outcome(id, outcome, session));
    }

    Entry amend(String id, Amendment change) throws IOException {
        AnnotationWriter reporting = reporting();
        return secondLook.once(() -> reporting.amend(id, change));
    }

    Page search(Query query) throws IOException {
        long begin = System.nanoTime();
        SearchEvent event = new SearchEvent();
        Page page = secondLook.withRetry(() -> searches.page(catalog.whole(), query));
        event.done(query.textMode().name(), page.matches().size(), page.total());
        counters.searches.ended(begin);
        return page;
    }

    Advice recall(ToolCall call, ToolError error) throws IOException {
        Advice advice = secondLook
                .withRetry(() -> recall(catalog.whole(), call.tool(), call.action(), error))
                .advice();
        counters.recalled(advice);
        return advice;
    }

    private GuardStore.Recalled recall(StoreSnapshot snapshot, String tool, String action, ToolError error)
            throws IOException {
        long begin = System.nanoTime();
        RecallEvent event = new RecallEvent();
        RecallQuery question = preparation.question(tool, action, error);
        Advice advice = recall.recall(snapshot, question, settings.clock().instant());
        event.done(advice.matches().size());
        counters.recalls.ended(begin);
        return new GuardStore.Recalled(question.hash(), advice);
    }

    /** What is known by what is published; waits for nobody who appends. */
    GuardStore.Recalled recallNow(String tool, String action, ToolError error) throws IOException {
        return secondLook.withRetry(() -> recall(catalog.wholeIfFree(), tool, action, error));
    }

    Guard guard() {
        return guard.get();
    }

    private Guard newGuard() {
        return new Guard(new GuardBackend(this, preparation, settings, counters), codec, settings.guardLimit());
    }

    boolean isOpen() {
        return !closing;
    }

    /** Passes on the failures of the log's newest lines, from a place on; returns the place to go on from. */
    int failures(int from, int most, Consumer<Failure> each) throws IOException {
        StoreSnapshot snapshot = catalog.wholeIfFree();
        LogSnapshot view = snapshot.logs().get(catalog.names().indexOf(LogName.FAILURES));
        LogIndex log = view.index();
        for (int ordinal = Math.max(from, view.count() - most); ordinal < view.count(); ordinal++) {
            boolean failure = log.lines().kind(ordinal) == Entry.Kind.FAILURE && view.shows(ordinal);
            if (failure && entries.entry(log, ordinal) instanceof Failure found) {
                each.accept(found);
            }
        }
        return view.count();
    }

    CompactionPlan planCompaction(Retention retention) throws IOException {
        return secondLook.withRetry(() -> Maintenance.plan(catalog, codec, settings, retention));
    }

    CompactionReport compact(CompactionPlan plan, CompactionListener listener) throws IOException {
        Maintenance upkeep = upkeep();
        return secondLook.once(() -> upkeep.compact(plan, listener));
    }

    CompactionReport restore(Path backup) throws IOException {
        Maintenance upkeep = upkeep();
        return secondLook.once(() -> upkeep.restore(backup));
    }

    int purge(Set<String> ids, boolean backups) throws IOException {
        Maintenance upkeep = upkeep();
        return secondLook.once(() -> upkeep.purge(ids, backups));
    }

    Stats stats() throws IOException {
        return secondLook.withRetry(this::counted);
    }

    private Stats counted() throws IOException {
        StoreSnapshot snapshot = catalog.whole();
        ActiveDirectives book = directives.book(snapshot);
        List<String> promotable = RulePromotion.candidates(snapshot, finder, entries, book);
        SyncReport synced = sync == null ? null : sync.status();
        return StoreStats.of(
                snapshot,
                book.size(),
                promotable,
                StoreStats.newest(disk.list(places.backups())),
                settings.clock().millis(),
                counters,
                reads,
                catalog.segmentBytes(),
                synced,
                settings.tokens());
    }

    VerifyReport verify() throws IOException {
        return secondLook.withRetry(() -> integrity.verify(writing == null ? null : writing.index()));
    }

    void flush() throws IOException {
        WriteSide out = requireWriting();
        secondLook.withRetry(() -> {
            flush(out);
            return true;
        });
    }

    private void flush(WriteSide out) throws IOException {
        Guard known = guard.ifMade();
        if (known != null) {
            known.flush();
        }
        for (LogSnapshot log : catalog.refreshed().logs()) {
            log.index().file().force();
        }
        if (!out.index().write()) {
            throw new XMemException.Busy(places.indexLock(), StoreLocks.PATIENCE);
        }
        integrity.seal();
    }

    SyncReport sync(Duration limit) throws IOException {
        WriteSide out = requireWriting();
        if (sync == null) {
            throw new XMemException.Unsupported(
                    "the store was opened without a sync backend. Give the builder one: XMem.builder(dir).sync(…).");
        }
        out.index().write();
        return sync.sync(limit);
    }

    void close() {
        closing = true;
        Guard known = guard.ifMade();
        if (known != null) {
            known.close();
        }
        if (sync != null) {
            sync.close();
        }
        if (writing != null) {
            writing.stop();
        }
        release();
    }

    private void release() {
        try {
            catalog.close();
            if (writing != null) {
                writing.close();
            }
        } catch (IOException e) {
            Log.debug("a file of the store was not closed", e);
        }
        if (settings.ownsResources()) {
            resources.close();
        }
    }
}
