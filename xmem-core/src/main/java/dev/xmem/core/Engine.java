package dev.xmem.core;

import dev.xmem.Advice;
import dev.xmem.Amendment;
import dev.xmem.CompactionListener;
import dev.xmem.CompactionPlan;
import dev.xmem.CompactionReport;
import dev.xmem.Directive;
import dev.xmem.Entry;
import dev.xmem.Failure;
import dev.xmem.Limits;
import dev.xmem.Outcome;
import dev.xmem.Page;
import dev.xmem.Query;
import dev.xmem.Recordable;
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
import dev.xmem.core.directive.Book;
import dev.xmem.core.directive.Directives;
import dev.xmem.core.file.ConfinedDisk;
import dev.xmem.core.file.Disk;
import dev.xmem.core.guard.Guard;
import dev.xmem.core.guard.Memory;
import dev.xmem.core.index.Catalog;
import dev.xmem.core.index.EntryReader;
import dev.xmem.core.index.Further;
import dev.xmem.core.index.Log;
import dev.xmem.core.index.LogIndex;
import dev.xmem.core.index.LogView;
import dev.xmem.core.index.Origin;
import dev.xmem.core.index.Part;
import dev.xmem.core.index.Rehash;
import dev.xmem.core.index.Segments;
import dev.xmem.core.index.Shelves;
import dev.xmem.core.index.Snapshot;
import dev.xmem.core.log.LogFile;
import dev.xmem.core.log.Reads;
import dev.xmem.core.meaning.Meanings;
import dev.xmem.core.outcome.Outcomes;
import dev.xmem.core.recall.Question;
import dev.xmem.core.recall.Recall;
import dev.xmem.core.record.LineCodec;
import dev.xmem.core.redact.Redaction;
import dev.xmem.core.render.Fence;
import dev.xmem.core.search.Journal;
import dev.xmem.core.search.Searcher;
import dev.xmem.core.sync.Sync;
import dev.xmem.core.trace.AppendEvent;
import dev.xmem.core.trace.Logging;
import dev.xmem.core.trace.RecallEvent;
import dev.xmem.core.trace.SearchEvent;
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

/** Wires the rooms of one open store. Methods throw {@link IOException}; {@link Store} translates it. */
final class Engine {
    private final Settings settings;
    private final Disk disk;
    private final Places places;
    private final Resources resources;
    private final LineCodec codec = new LineCodec();
    private final Reads reads = new Reads();
    private final Counters counters = new Counters();
    private final Catalog catalog;
    private final SecondLook secondLook;
    private final Preparation preparation;
    private final EntryReader entries;
    private final Searches searches;
    private final Recall recall;
    private final Outcomes outcomes;
    private final Directives directives;
    private final Finder finder;
    private final Journal journal;
    private final Integrity integrity;
    private final @Nullable Writing writing;
    private final @Nullable SyncWorker sync;
    private final OnUse<Guard> guard = new OnUse<>(this::newGuard);
    private volatile boolean closing;

    Engine(Settings settings) throws IOException {
        this.settings = settings;
        this.places = settings.places();
        this.disk = new ConfinedDisk(settings.disk(), places.root());
        this.resources = settings.resources();
        this.preparation = new Preparation(
                codec,
                new Redaction(settings.redactor()),
                settings.rejectSecrets(),
                settings.hasher(),
                settings.limits());
        this.entries = new EntryReader(codec, resources.cache(), reads);
        Embedder embedder = settings.embedder();
        Further further = new Further(
                new Shelves(disk, places.root(), places.archives(), places.peers(), settings.peerTrust() > 0), disk);
        places.confine(disk);
        Rehash rehash = new KnownHashers(disk, places.hashers()).rehash(settings, codec);
        Segments segments = new Segments(
                disk, places.root(), places.segments(), settings.stretchLines(), !settings.readOnly(), rehash);
        this.catalog = new Catalog(places.logs(), further, this::log, codec, segments, settings.clock());
        this.secondLook = new SecondLook(catalog);
        this.outcomes = new Outcomes(entries, codec, resources.cache());
        this.recall = new Recall(entries, outcomes, settings.tokens(), fence(settings.random()), settings.peerTrust());
        this.directives = new Directives(entries, codec, outcomes);
        Searcher searcher =
                new Searcher(codec, embedder == null ? null : new Meanings(codec, embedder), settings.peerTrust());
        this.searches = new Searches(settings, searcher, directives, outcomes, entries);
        this.finder = new Finder(entries, directives, outcomes);
        this.journal = new Journal(codec);
        this.integrity = new Integrity(disk, codec, catalog, places, settings.limits());
        this.writing = settings.readOnly() ? null : new Writing(settings, disk, codec, catalog, directives, integrity);
        this.sync = writing == null ? null : syncWorker(writing.index());
        readLogs();
    }

    /** Its number is drawn at once, so that the order is always the same, unless that takes time and no order is promised. */
    private static Fence fence(RandomGenerator random) {
        if (random instanceof LateRandom late) {
            return new Fence(late);
        }
        long secret = random.nextLong();
        return new Fence(() -> secret);
    }

    private void readLogs() throws IOException {
        boolean read = false;
        try {
            Snapshot known = secondLook.ask(catalog::whole);
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

    private LogFile log(Part part) {
        int lineBytes = settings.limits().lineBytes();
        long window = part.origin().tier() == Origin.Tier.HOT ? settings.tailWindowBytes() : 0;
        return new LogFile(disk, part.file(), lineBytes, window, resources.cache(), reads);
    }

    private @Nullable SyncWorker syncWorker(IndexKeeper index) throws IOException {
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

    Places places() {
        return places;
    }

    List<Entry> record(List<? extends Recordable> batch) throws IOException {
        Writing out = requireWriting();
        Recorder recorder = out.recorder();
        long begin = System.nanoTime();
        AppendEvent event = new AppendEvent();
        List<Prepared> prepared = new ArrayList<>(batch.size());
        for (Recordable draft : batch) {
            prepared.add(preparation.prepare(draft));
        }
        List<Entry> recorded = secondLook.change(() -> recorder.append(prepared));
        counters.appended.add(recorded.size());
        event.done(recorded.size());
        counters.appends.ended(begin);
        out.index().touched();
        return folded(recorded);
    }

    /** Directives as all their lines say. */
    private List<Entry> folded(List<Entry> recorded) throws IOException {
        if (recorded.stream().noneMatch(Directive.class::isInstance)) {
            return recorded;
        }
        Snapshot snapshot = catalog.snapshot();
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
        return (Directive) record(List.of(Promotion.of(success))).get(0);
    }

    ScanResult scan(Scan scan) throws IOException {
        return secondLook.ask(() -> {
            catalog.refreshed();
            return journal.scan(catalog.log(Log.NOTES).file(), scan);
        });
    }

    private Writing requireWriting() {
        if (writing == null) {
            throw new XMemException.Unsupported(
                    "the store was opened read-only. Open it without readOnly() to record.");
        }
        return writing;
    }

    Optional<Entry> find(String idOrPrefix) throws IOException {
        return secondLook.ask(() -> finder.find(catalog.whole(), idOrPrefix));
    }

    private Reporting reporting() {
        return new Reporting(
                preparation, catalog, outcomes, finder, requireWriting().recorder());
    }

    private Upkeep upkeep() {
        return requireWriting().upkeep();
    }

    boolean reportOutcome(String id, Outcome outcome, String session) throws IOException {
        Reporting reporting = reporting();
        return secondLook.change(() -> reporting.outcome(id, outcome, session));
    }

    Entry amend(String id, Amendment change) throws IOException {
        Reporting reporting = reporting();
        return secondLook.change(() -> reporting.amend(id, change));
    }

    Page search(Query query) throws IOException {
        long begin = System.nanoTime();
        SearchEvent event = new SearchEvent();
        Page page = secondLook.ask(() -> searches.page(catalog.whole(), query));
        event.done(query.textMode().name(), page.matches().size(), page.total());
        counters.searches.ended(begin);
        return page;
    }

    Advice recall(ToolCall call, ToolError error) throws IOException {
        Advice advice = secondLook
                .ask(() -> recall(catalog.whole(), call.tool(), call.action(), error))
                .advice();
        counters.recalled(advice);
        return advice;
    }

    private Memory.Recalled recall(Snapshot snapshot, String tool, String action, ToolError error) throws IOException {
        long begin = System.nanoTime();
        RecallEvent event = new RecallEvent();
        Question question = preparation.question(tool, action, error);
        Advice advice = recall.recall(snapshot, question, settings.clock().instant());
        event.done(advice.matches().size());
        counters.recalls.ended(begin);
        return new Memory.Recalled(question.hash(), advice);
    }

    /** What is known by what is published; waits for nobody who appends. */
    Memory.Recalled recallNow(String tool, String action, ToolError error) throws IOException {
        return secondLook.ask(() -> recall(catalog.wholeIfFree(), tool, action, error));
    }

    Guard guard() {
        return guard.get();
    }

    private Guard newGuard() {
        return new Guard(new StoreMemory(this, preparation, settings, counters), codec, settings.guardLimit());
    }

    boolean isOpen() {
        return !closing;
    }

    /** Passes on the failures of the log's newest lines, from a place on; returns the place to go on from. */
    int failures(int from, int most, Consumer<Failure> each) throws IOException {
        Snapshot snapshot = catalog.wholeIfFree();
        LogView view = snapshot.logs().get(catalog.names().indexOf(Log.FAILURES));
        LogIndex log = view.index();
        for (int ordinal = Math.max(from, view.count() - most); ordinal < view.count(); ordinal++) {
            boolean failure = log.kind(ordinal) == Entry.Kind.FAILURE && view.shows(ordinal);
            if (failure && entries.entry(log, ordinal) instanceof Failure found) {
                each.accept(found);
            }
        }
        return view.count();
    }

    CompactionPlan planCompaction(Retention retention) throws IOException {
        return secondLook.ask(() -> Upkeep.plan(catalog, codec, settings, retention));
    }

    CompactionReport compact(CompactionPlan plan, CompactionListener listener) throws IOException {
        Upkeep upkeep = upkeep();
        return secondLook.change(() -> upkeep.compact(plan, listener));
    }

    CompactionReport restore(Path backup) throws IOException {
        Upkeep upkeep = upkeep();
        return secondLook.change(() -> upkeep.restore(backup));
    }

    int purge(Set<String> ids, boolean backups) throws IOException {
        Upkeep upkeep = upkeep();
        return secondLook.change(() -> upkeep.purge(ids, backups));
    }

    Stats stats() throws IOException {
        return secondLook.ask(this::counted);
    }

    private Stats counted() throws IOException {
        Snapshot snapshot = catalog.whole();
        Book book = directives.book(snapshot);
        List<String> promotable = Promotion.candidates(snapshot, finder, entries, book);
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
        return secondLook.ask(() -> integrity.verify(writing == null ? null : writing.index()));
    }

    void flush() throws IOException {
        Writing out = requireWriting();
        secondLook.ask(() -> {
            flush(out);
            return true;
        });
    }

    private void flush(Writing out) throws IOException {
        Guard known = guard.ifMade();
        if (known != null) {
            known.flush();
        }
        for (LogView log : catalog.refreshed().logs()) {
            log.index().file().force();
        }
        if (!out.index().write()) {
            throw new XMemException.Busy(places.indexLock(), Locks.PATIENCE);
        }
        integrity.seal();
    }

    SyncReport sync(Duration limit) throws IOException {
        Writing out = requireWriting();
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
            Logging.debug("a file of the store was not closed", e);
        }
        if (settings.ownsResources()) {
            resources.close();
        }
    }
}
